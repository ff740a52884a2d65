"""Every screen, as the mock station can bring it about: name, and how."""

import browser

LONG = 600000
# The frames around the press, as a station offers them at 30 frames a second.
FRAMES = {"offsetsMs": [-71.2, -37.9, -4.6, 28.8, 62.1], "nearest": 2, "chosen": 2, "ready": True}


def reviewing(mock, **more):
    mock.set(state="reviewing", source="camera", atEnd="cancel", remainingMs=27000, totalMs=30000,
             **more)


def browsing(mock, **more):
    mock.set(state="browsing", source="photoLibrary", allowsEditing=True, selectionLimit=4,
             selection=[mock.picked[1]["id"], mock.picked[4]["id"]], remainingMs=LONG, totalMs=LONG,
             **more)


def editing(mock):
    mock.set(state="editing", source="photoLibrary", allowsEditing=True, remainingMs=LONG,
             totalMs=LONG, item=mock.picked[1]["id"], selection=[mock.picked[1]["id"]],
             edit={"crop": {"x": 108, "y": 72, "width": 324, "height": 432}, "quarterTurns": 0})


def finished(mock):
    mock.set(state="finished", source="camera", remainingMs=LONG, totalMs=LONG,
             lastPhoto={"id": mock.picked[0]["id"], "name": mock.picked[0]["name"]})


def saving(mock, slow=False):
    reviewing(mock)
    mock.set(state="saving", source="camera", candidate=mock.state["candidate"], slow=slow)


def failed(mock):
    mock.set(state="failed", source="camera", trouble={
        "kind": "fault", "code": "captureTimedOut", "guest": "Sorry, that one did not come out.",
        "trying": "", "retryMs": None, "operator": None})


def reviewing_movie(mock):
    mock.set(state="reviewing", source="camera", atEnd="cancel", remainingMs=27000, totalMs=30000,
             settings=movies(mock), media=["image", "movie"], captureMode="video", isMovie=True)


def saving_movie(mock):
    reviewing_movie(mock)
    mock.set(state="saving", source="camera", candidate=mock.state["candidate"], isMovie=True, slow=True)


def with_movies(mock):
    """Every third of the pictures is a movie."""
    return [mock.item(len(mock.picked) - index, index % 3 == 1) for index in range(len(mock.picked))]


def finished_movie(mock):
    mock.picked = with_movies(mock)
    finished(mock)
    mock.set(lastPhoto={"id": mock.picked[1]["id"], "name": mock.picked[1]["name"]})


def browsing_movies(mock):
    mock.picked = with_movies(mock)
    browsing(mock, media=["image", "movie"])


def movies(mock, can=True):
    return {**mock.state["settings"], "modes": ["photo", "movie"] if can else ["photo"],
            "movieSeconds": 10 if can else None}


def disc(name, colour, column, row=1, lamp=None, role=None):
    return {"name": name, "role": role or name, "inReview": None, "colour": colour, "column": column, "row": row,
            "lamp": lamp}


PANEL = [disc("cancel", "red", 1), disc("retake", "yellow", 2), disc("accept", "green", 4, lamp="saved"),
         disc("shutter", "white", 3, row=2, lamp="ready")]


def with_panel(how):
    """The scene on a booth whose panel is drawn."""
    def more(mock):
        mock.set(panel=PANEL)
        how(mock)
    return more


def collecting(mock):
    browsing(mock)
    mock.set(state="saving", source="photoLibrary", slow=False)


# name -> (how, the screen it must be)
SCENES = {
    "attract": (lambda mock: None, "attract"),
    "live": (lambda mock: mock.set(state="live", source="camera", remainingMs=LONG, totalMs=LONG),
             "attract"),
    "countdown": (lambda mock: mock.set(state="countdown", source="camera", remainingMs=2900,
                                        totalMs=3000), "countdown"),
    "countdown-last": (lambda mock: mock.set(state="countdown", source="camera", remainingMs=990,
                                             totalMs=3000), "countdown"),
    "attract-movie": (lambda mock: mock.set(settings=movies(mock)), "attract"),
    "live-movie": (lambda mock: mock.set(
        state="live", source="camera", remainingMs=LONG, totalMs=LONG, settings=movies(mock),
        media=["image", "movie"], captureMode="video"), "attract"),
    "recording": (lambda mock: mock.set(
        state="recording", source="camera", remainingMs=6500, totalMs=10000, settings=movies(mock),
        media=["image", "movie"], isMovie=True), "recording"),
    "review-movie": (reviewing_movie, "review"),
    "saving-movie": (saving_movie, "saving"),
    "saved-movie": (finished_movie, "saved"),
    "library-movie": (browsing_movies, "library"),
    "capturing": (lambda mock: mock.set(state="capturing", source="camera"), "capturing"),
    "review": (reviewing, "review"),
    "review-edit": (lambda mock: reviewing(mock, allowsEditing=True, edit={
        "crop": {"x": 108, "y": 72, "width": 324, "height": 432}, "quarterTurns": 0}), "review"),
    "review-frames": (lambda mock: reviewing(mock, frames=FRAMES), "review"),
    "saving": (saving, "saving"),
    "saving-library": (collecting, "saving"),
    "saving-slow": (lambda mock: saving(mock, True), "saving"),
    "saved": (finished, "saved"),
    "cancelled": (lambda mock: mock.set(state="cancelled"), "cancelled"),
    "failed": (failed, "failed"),
    "library": (browsing, "library"),
    "editor": (editing, "editor"),
    "trouble-camera": (lambda mock: mock.trouble("camera", 9000), "trouble"),
    "trouble-storage": (lambda mock: mock.trouble("storage", 9000), "trouble"),
    "sheet": (lambda mock: browsing(mock, presentation="sheet"), "library"),
    "popover": (lambda mock: reviewing(mock, presentation="popover"), "review"),
    "panel-attract": (with_panel(lambda mock: None), "attract"),
    "panel-review": (with_panel(reviewing), "review"),
    "panel-saved": (with_panel(finished), "saved"),
    "buttons-only": (lambda mock: reviewing(mock, presentation="headless"), "review"),
}


# Screens that the page opens by itself: name -> (screen, the control there, what is then there)
OPENED = {
    "photos": ("attract", "#photos", "body[data-screen=library] .tile"),
    "photo": ("photos", ".tile", "#viewer[open] img"),
    "photo-to-choose": ("library", ".cell:nth-child(2) .look", "#viewer[open] img"),
    "movie-to-choose": ("library-movie", ".cell:nth-child(2) .look", "#viewer[open] img"),
    "languages": ("attract", "#language", "#languages[open]"),
    "staff": ("trouble-storage", ".staff", "#operator[open] .check"),
    "pin": ("trouble-camera", ".staff", "#operator[open] #pin:not([hidden])"),
}
COUNTDOWN = {"countdown": {"cancel"}}
# screen -> control that goes on -> the screen it leads to, and what loses something there
LEADS = {
    "attract": {"take": COUNTDOWN},
    "attract-movie": {"take": COUNTDOWN, "record": {"recording": {"cancel"}}},
    "live": {"take": COUNTDOWN},
    "live-movie": {"record": {"recording": {"cancel"}}},
    "recording": {"stop": {"review-movie": {"retake", "cancel"}}},
    "review": {"retake": COUNTDOWN},
    "review-movie": {"retake": {"live-movie": {"live-cancel"}}},
    "review-edit": {"review-edit": {"editor": {"editor-back"}}},
    "saved": {"shutter": COUNTDOWN},
    "failed": {"shutter": COUNTDOWN},
    "library": {"library-edit": {"editor": {"editor-back"}}, "library-use": {"saving-library": {"saving-cancel"}}},
    "editor": {"editor-done": {"library": {"cancel"}, "review-edit": {"retake", "cancel"}}},
}


def settle(driver, mock, name):
    """Brings the scene about from a fresh idle station and waits until it stands."""
    driver.execute_script("for (const one of document.querySelectorAll('dialog[open]')) one.close()")
    if name in OPENED:
        under, control, there = OPENED[name]
        mock.pin = "2468" if name == "pin" else None
        mock.set(pinRequired=mock.pin is not None)
        settle(driver, mock, under)
        browser.wait(lambda: driver.execute_script("return document.querySelector(arguments[0])", control), control)
        driver.execute_script("document.querySelector(arguments[0]).click()", control)
        browser.wait(lambda: driver.execute_script("return document.querySelector(arguments[0])", there), there)
        return
    how, expected = SCENES[name]
    mock.picked = [mock.item(number) for number in range(len(mock.picked), 0, -1)]
    if name not in ("photos", "photo"):
        driver.execute_script("if (document.body.dataset.state === 'idle' && document.body.dataset.screen === 'library')"
                              " document.querySelector('.library [data-command=cancel]').click()")
    mock.set(state="idle", presentation="fullScreen", trouble=None, allowsEditing=False,
             selectionLimit=1, source=None, selection=[], edit=None, lastPhoto=None, isMovie=False,
             panel=[], media=["image"], captureMode="photo", settings=movies(mock, False))
    browser.wait_screen(driver, "attract")
    how(mock)
    browser.wait_screen(driver, expected)
    if expected == "library":
        browser.wait(lambda: driver.execute_script("return document.querySelector('.tile[aria-pressed]')"), "the grid")
    if expected in ("review", "library", "editor") or name.startswith("saved"):
        browser.wait(lambda: driver.execute_script(
            "return [...document.querySelectorAll('#app img')].every((image) =>"
            " !image.hasAttribute('src') || (image.complete && image.naturalWidth > 0)"
            # Those further down are loaded when they are scrolled to.
            " || image.getBoundingClientRect().top > innerHeight)"
            " && (document.body.dataset.screen !== 'review'"
            "  || !document.getElementById('accept').hasAttribute('aria-disabled'))"
            " && (document.body.dataset.screen !== 'editor' || document.getElementById('crop').checkVisibility())"
            # The crop box comes with the first session that allows it.
            " && (arguments[0] || !document.getElementById('review-edit').hidden)",
            not (expected == "review" and mock.state["allowsEditing"])),
            f"the pictures of {name}")
    if expected in ("attract", "countdown", "cancelled"):
        browser.wait(lambda: driver.execute_script(
            "return document.getElementById('preview').dataset.frame"), "a live picture")
