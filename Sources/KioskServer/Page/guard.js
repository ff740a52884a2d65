// Reloads a page that arrived only in part, because the station stopped while the page loaded.
// Otherwise it would stay dark. The reload waits until the station answers. main.js does everything
// else.
const guard = setInterval(async () => {
  if (document.documentElement.dataset.ready) return clearInterval(guard);
  const answer = await fetch("/healthz", { signal: AbortSignal.timeout(2000) }).catch(() => null);
  if (answer && !document.documentElement.dataset.ready) location.reload();
}, 8000);
