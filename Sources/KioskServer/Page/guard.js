// A page that came only in part, since the station was stopped while it loaded, would stay dark:
// it is loaded again once the station answers. Everything else is main.js's.
const guard = setInterval(async () => {
  if (document.documentElement.dataset.ready) return clearInterval(guard);
  const answer = await fetch("/healthz", { signal: AbortSignal.timeout(2000) }).catch(() => null);
  if (answer && !document.documentElement.dataset.ready) location.reload();
}, 8000);
