"""The page in Chromium: what it weighs, and how soon there is a live picture; see web.sh.

The program's own page, each time in a new browser, so that nothing is cached; the time is the page's:
from the navigation until the first frame is drawn. Debian's chromium and Selenium.
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

import browser  # noqa: E402
from real_station import RealStation  # noqa: E402

LOADED = """
const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ name }) => !new URL(name).pathname.startsWith("/api/"));
return { bytes: entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0), files: entries.length };
"""


def load(station):
    """Milliseconds to the first frame, then once more with the cache; bytes and files of the page."""
    driver = browser.chromium(size=(1920, 1080))
    first = lambda: browser.wait(lambda: driver.execute_script(
        "return Number(document.getElementById('preview').dataset.first ?? 0)"), "a live picture", 60)
    try:
        driver.get(station.url)
        cold, loaded = first(), driver.execute_script(LOADED)
        driver.get("about:blank")
        driver.get(station.url)
        return cold, first(), loaded
    finally:
        driver.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options, _ = parser.parse_known_args()
    station = RealStation(page=None)
    try:
        station.start()
        loads = [load(station) for _ in range(options.loads)]
    finally:
        station.close()
    middle = lambda values: sorted(values)[len(values) // 2]
    folder = ROOT / "Sources/KioskServer/Page"
    result = {
        "loads": len(loads),
        "firstFrameMs": middle([cold for cold, _, _ in loads]),
        "firstFrameWorstMs": max(cold for cold, _, _ in loads),
        "firstFrameCachedMs": middle([warm for _, warm, _ in loads]),
        "bytesLoaded": loads[-1][2]["bytes"], "filesLoaded": loads[-1][2]["files"],
        "bytesOfAllLanguages": sum(
            path.stat().st_size for path in folder.rglob("*") if path.is_file()),
    }
    if options.json:
        return print(json.dumps(result))
    print(f"first live picture after {result['firstFrameMs']} ms (median of {result['loads']} new "
          f"browsers, worst {result['firstFrameWorstMs']}), with the cache "
          f"{result['firstFrameCachedMs']} ms; goal 1000")
    print(f"the page: {result['bytesLoaded']} bytes in {result['filesLoaded']} files are loaded; "
          f"goal 150000 ({result['bytesOfAllLanguages']} bytes with every language)")


if __name__ == "__main__":
    main()
