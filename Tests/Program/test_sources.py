"""The floors of the sources: who may import whom, as the manifest declares it."""

import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The modules that the toolchain provides for any target.
TOOLCHAIN = {"Dispatch", "Foundation", "FoundationEssentials", "Glibc", "PackagePlugin", "Synchronization",
             "Testing"}
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)", re.MULTILINE)


def targets():
    """The manifest's targets in their order: name, kind, folder, names of dependencies."""
    dump = subprocess.run(
        ["bash", "-c", '. scripts/lib/swift.sh; "$(find_swift)" package dump-package'],
        cwd=ROOT, capture_output=True, text=True, check=True)
    for target in json.loads(dump.stdout)["targets"]:
        kind = target["type"]
        folder = target.get("path") or ("Tests/" if kind == "test" else "Sources/") + target["name"]
        yield (target["name"], kind, ROOT / folder,
               [next(iter(each.values()))[0] for each in target["dependencies"]])


def imports(folder):
    """The modules that a folder's files import, each with the files that do."""
    found = {}
    for path in sorted(folder.rglob("*.swift")):
        for module in IMPORT.findall(path.read_text()):
            found.setdefault(module, []).append(str(path.relative_to(ROOT)))
    return found


DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:final\s+|indirect\s+)*"
    r"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)", re.MULTILINE)
# The picker's contract has these names for a module and a type in it.
CONTRACT = {"Station", "PhotoLibrary"}
# Types of Foundation that a program with both would have to qualify.
FOUNDATION = {"Bundle", "Data", "Date", "Formatter", "Host", "Locale", "Lock", "Notification", "Operation", "Pipe",
              "Port", "Process", "Progress", "RunLoop", "Scanner", "Stream", "Thread", "Timer", "Unit", "URL"}


def public_names(folder):
    """The public types that a folder's files declare at the top level."""
    return {name for path in folder.rglob("*.swift") for name in DECLARATION.findall(path.read_text())}


class SourceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.targets = list(targets())

    def test_every_target_stands_below_what_it_depends_on(self):
        seen = set()
        for name, _, _, dependencies in self.targets:
            with self.subTest(name):
                self.assertEqual([each for each in dependencies if each not in seen], [])
            seen.add(name)

    def test_files_import_what_their_target_declares_and_nothing_else(self):
        names = {name for name, *_ in self.targets}
        for name, kind, folder, dependencies in self.targets:
            if kind in ("system", "plugin"):
                continue
            found = imports(folder)
            with self.subTest(name):
                for module, files in found.items():
                    if module in names:
                        self.assertIn(module, dependencies, files)
                    else:
                        self.assertIn(module, TOOLCHAIN, files)
                # A C target's dependencies are in its sources.
                if found:
                    self.assertEqual([each for each in dependencies if each not in found], [])

    def test_what_ships_imports_nothing_of_the_tests(self):
        tests = {name for name, _, folder, _ in self.targets if (ROOT / "Tests") in folder.parents}
        for name, _, folder, dependencies in self.targets:
            if name not in tests:
                with self.subTest(name):
                    self.assertEqual(tests & set(dependencies), set())

    def test_public_names_are_of_one_module_and_not_of_foundation(self):
        modules = {name for name, *_ in self.targets}
        seen = {}
        for module, kind, folder, _ in self.targets:
            if kind != "regular":
                continue
            for name in public_names(folder):
                with self.subTest(module=module, name=name):
                    self.assertNotIn(name, seen)
                    self.assertNotIn(name, FOUNDATION)
                    self.assertNotIn(name, modules - CONTRACT)
                seen[name] = module


class CommentTests(unittest.TestCase):
    # A sentence that opens with one of these names no subject.
    OPENING = re.compile(r"(?:^|(?<=[.!?] ))(Who|What|Whoever|Nobody|It)\b")

    def paragraphs(self, text):
        """The paragraphs of a Swift file's comments, each with the number of its first line."""
        lines = []
        for number, line in enumerate(text.split("\n"), 1):
            comment = re.match(r"\s*///? ?(.*)", line)
            if comment and comment[1].strip():
                lines.append((number, comment[1].strip()))
            elif lines:
                yield lines[0][0], " ".join(words for _, words in lines)
                lines = []

    def test_each_sentence_names_its_subject(self):
        found = []
        for path in sorted((ROOT / "Sources").rglob("*.swift")):
            for number, text in self.paragraphs(path.read_text()):
                if self.OPENING.search(text):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {text[:90]}")
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
