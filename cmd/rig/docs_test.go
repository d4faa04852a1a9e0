package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"rig.example/rig/test/level"
)

// How the commands of README.md and docs are tested:
//
//   - each is parsed as the program parses it, so a flag that no longer exists shows at once;
//   - what needs no hardware and ends soon is run (runsHere), in a folder with the files that the pages show; a word such
//     as FILE stands for one of them (docWords);
//   - of each other one runElsewhere names the test that runs it: in the virtual machine, in a window, or with a
//     simulated device. docs/first-drive.md is such a test itself.

// docCommand is a command of rig that a page shows.
type docCommand struct {
	page  string // path in the repository
	text  string // as on the page, without what the shell does with it
	block bool   // in a block of code, and not within a sentence
	args  []string
}

var (
	docSpan  = regexp.MustCompile("`(?:sudo )?rig ([^`]+)`")
	docLine  = regexp.MustCompile(`^(?:\$ )?(?:[^#]*\| )?(?:sudo (?:-u rig )?)?rig ((?:[a-z]+|--)\b[^.].*|[a-z]+)$`)
	docShell = regexp.MustCompile(`\s+(#|>|\\?\||;|&&|2>)(\s.*)?$`)
)

// docWords stand on pages for something of the reader's own, with what the tests put there.
var docWords = map[string]string{
	"F": "drive.mcap", "F2": "first.mcap", "G": "whole.mcap", "FILE": "town.xodr", "NAME": "moose", "CAR": "hatch",
	"MODEL": "brush", "AXIS": "1", "EFFECT": "impact", "SOCKET": "page", "COMMAND": "tire", "CMD": "tire",
	"60": "1", "90": "2", // seconds: the recording of the tests is short
	"docs/tire.svg": "tire.svg", "docs/club.png": "club.png", "docs/sweep.svg": "sweep.svg", "…": "",
}

// docPages returns the paths of the pages that people write.
func docPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return append(pages, "../../README.md")
}

// docCommands returns the commands of a page, in its order.
func docCommands(page, text string) (list []docCommand) {
	add := func(line string, block bool) {
		line = strings.TrimSpace(docShell.ReplaceAllString(line, ""))
		var args []string
		for _, word := range strings.Fields(line) {
			if own, ok := docWords[word]; ok {
				word = own
			}
			if word != "" {
				args = append(args, word)
			}
		}
		list = append(list, docCommand{page: page, text: line, block: block, args: args})
	}
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if code := strings.TrimSpace(line); fenced || strings.HasPrefix(line, "    ") {
			if m := docLine.FindStringSubmatch(code); m != nil {
				add(m[1], true)
			}
			continue
		}
		for _, m := range docSpan.FindAllStringSubmatch(line, -1) {
			add(m[1], false)
		}
	}
	return list
}

func TestCommandsAreFoundOnAPage(t *testing.T) {
	page := "Run `rig ls`, or `sudo rig timers`; rig reads files.\n\n    $ rig tire brush --points - > a.csv   # all of them\n    make | rig road F --probe - | less\n    sudo -u rig rig check\n    rig v1.2 (commit\n\n```console\n$ rig run\nrig: no wheel\n```\n"
	var got []string
	for _, c := range docCommands("p", page) {
		got = append(got, strings.Join(c.args, " "))
	}
	want := []string{"ls", "timers", "tire brush --points -", "road drive.mcap --probe -", "check", "run"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// allDocCommands returns the commands of all pages, each of them once.
func allDocCommands(t *testing.T) (list []docCommand) {
	t.Helper()
	seen := map[string]bool{}
	for _, path := range docPages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range docCommands(strings.TrimPrefix(path, "../../"), string(text)) {
			key := fmt.Sprint(c.args, c.block)
			if !seen[key] || c.page == "docs/tracks.md" { // its my.toml is a circuit
				list = append(list, c)
			}
			seen[key] = true
		}
	}
	return list
}

// parse checks a command by the program's own parser.
func (c docCommand) parse(t *testing.T) {
	t.Helper()
	var all commands
	helped := false
	parser, err := kong.New(&all, kong.Name("rig"), kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) { helped = true }))
	if err != nil {
		t.Fatal(err)
	}
	if !c.block && names(parser.Model.Node, c.args) {
		return // a command that a sentence speaks of
	}
	if _, err := parser.Parse(c.args); err != nil && !helped {
		t.Errorf("%s: rig %s: %v", c.page, c.text, err)
	}
}

// names reports whether words are the name of a command, or of a group of them.
func names(node *kong.Node, words []string) bool {
	if len(words) == 0 {
		return true
	}
	for _, child := range node.Children {
		if child.Name == words[0] {
			return names(child, words[1:])
		}
	}
	return false
}

func TestEveryCommandOfThePagesIsUnderstood(t *testing.T) {
	level.SkipIfQuick(t)
	list := allDocCommands(t)
	if len(list) < 100 {
		t.Errorf("found only %d commands", len(list))
	}
	for _, c := range list {
		c.parse(t)
	}
}

// runElsewhere are commands that need hardware, a running rig or a window, or do not end soon, with the test that runs
// them. The first entry counts whose words a command begins with, in any order after the command itself.
var runElsewhere = []struct{ words, folder, test string }{
	{"bench", "cmd/rig", "TestBenchPrintsItsFigures"},
	{"calibrate ffb", "test/vm/drive", "TestMeasuredMotorDeliversTheRequestedTorque"},
	{"calibrate wheel", "test/vm/drive", "TestFirstDrive"},
	{"calibrate pedals", "test/vm/drive", "TestFirstDrive"},
	{"confirm", "cmd/rig", "TestOrdersToARunningRig"},
	{"dash", "cmd/rig", "TestAddressesOfTheWebPage"},
	{"devices --watch", "test/vm/drive", "TestDevicesWatch"},
	{"driver", "cmd/rig", "TestDriverCommands"},
	{"display", "cmd/rig", "TestTheViewShowsRoadCarAndInstruments"},
	{"ffb map", "cmd/rig", "TestPicturesAreMadeByTheProgram"},
	{"ffb test impact", "test/vm/drive", "TestFFBTestMeasuresTheDelayWithPulses"},
	{"ffb test", "test/vm/drive", "TestFirstDrive"},
	{"ffb", "cmd/rig", "TestADriveIsWatched"},
	{"follow --demo", "cmd/rig", "TestADemoFollowsAGame"},
	{"follow --watch", "cmd/rig", "TestFollowAsksForWhatItNeeds"},
	{"follow --confirm", "cmd/rig", "TestFollowAsksForWhatItNeeds"},
	{"follow", "test/vm/drive", "TestThePlatformFollowsAGame"},
	{"latency", "cmd/rig", "TestLatencyReports"},
	{"maneuver --on", "cmd/rig", "TestWorkersDriveASweep"},
	{"motion config", "cmd/rig", "TestMotionConfigIsATable"},
	{"motion home", "test/vm/drive", "TestFirstDrive"},
	{"motion jog", "cmd/rig", "TestMotionJogMovesOneActuator"},
	{"motion park", "cmd/rig", "TestMotionHomeAndPark"},
	{"motion profile", "cmd/rig", "TestSavedTunings"},
	{"motion scope", "cmd/rig", "TestAScopeWritesWhatItShows"},
	{"motion sweep", "test/vm/drive", "TestFirstDrive"},
	{"motion tune", "cmd/rig", "TestTuningARunningRig"},
	{"motion watch", "cmd/rig", "TestADriveIsWatched"},
	{"pause", "cmd/rig", "TestOrdersToARunningRig"},
	{"replay --display", "cmd/rig", "TestARecordingIsShownInTheWindow"},
	{"replay --picture", "cmd/rig", "TestWindowDrawsAPictureOfARecording"},
	{"replay --repair", "cmd/rig", "TestARecordedDrive"},
	{"run --demo --real", "test/vm/drive", "TestADriverModelDrivesTheRealRig"},
	{"run --demo", "cmd/rig", "TestDemoPrintsItsSummary"},
	{"run --record", "cmd/rig", "TestARecordedDrive"},
	{"run", "test/vm/drive", "TestFirstDrive"},
	{"screens", "cmd/rig", "TestScreensAskForWhatTheyNeed"},
	{"session end", "cmd/rig", "TestSessionHost"},
	{"session flag", "cmd/rig", "TestSessionHost"},
	{"session grid", "cmd/rig", "TestSessionHost"},
	{"session host", "cmd/rig", "TestSessionHost"},
	{"session notice", "cmd/rig", "TestSessionHost"},
	{"session pause", "cmd/rig", "TestSessionHost"},
	{"session penalty", "cmd/rig", "TestSessionHost"},
	{"session results", "cmd/rig", "TestSessionHost"},
	{"session resume", "cmd/rig", "TestSessionHost"},
	{"session start", "cmd/rig", "TestSessionHost"},
	{"session stop", "cmd/rig", "TestSessionStopNamesWhoDidNot"},
	{"session watch", "cmd/rig", "TestSessionHost"},
	{"session join", "cmd/rig", "TestADemoJoinsASession"},
	{"session invite", "cmd/rig", "TestSessionKeys"},
	{"session members", "cmd/rig", "TestMembersOfASession"},
	{"session revoke", "cmd/rig", "TestMembersOfASession"},
	{"setup", "test/vm/drive", "TestSetupLeadsFromUnknownDevicesToADrive"},
	{"shaker", "cmd/rig", "TestShakers"},
	{"stop", "cmd/rig", "TestOrdersToARunningRig"},
	{"timers", "test/vm/drive", "TestADriveMissesNoTick"},
	{"watch", "cmd/rig", "TestADriveIsWatched"},
	{"worker", "cmd/rig", "TestWorkersDriveASweep"},
}

// begins reports whether a command begins with words that are no flags and has all those that are.
func begins(args []string, words string) bool {
	for i, w := range strings.Fields(words) {
		if !strings.HasPrefix(w, "--") && (i >= len(args) || args[i] != w) {
			return false
		}
		if strings.HasPrefix(w, "--") && !slices.ContainsFunc(args, func(a string) bool { return a == w || strings.HasPrefix(a, w+"=") }) {
			return false
		}
	}
	return true
}

// Each command of the pages is run by TestCommandsOfThePagesWork, or by a test of its own.
func TestEveryCommandOfThePagesIsRun(t *testing.T) {
	used := map[int]bool{}
	for _, c := range allDocCommands(t) {
		if c.runsHere() {
			continue
		}
		i := slices.IndexFunc(runElsewhere, func(e struct{ words, folder, test string }) bool { return begins(c.args, e.words) })
		if i < 0 && !c.block {
			continue // a sentence speaks of a command or of a group, and TestEveryCommandOfThePagesIsUnderstood knows it
		}
		if i < 0 {
			t.Errorf("%s: no test runs rig %s: name one in runElsewhere, or let runsHere run it", c.page, c.text)
			continue
		}
		used[i] = true
	}
	for i, e := range runElsewhere {
		if !used[i] {
			t.Errorf("%q: no page shows it; drop it from runElsewhere", e.words)
		}
		if !runsIn(t, e.folder, e.test, e.words) {
			t.Errorf("%s: no %s that runs rig %s", e.folder, e.test, e.words)
		}
	}
}

// runsIn reports whether a file of a folder has a test of that name, and the words of the command that it runs. Those
// of TestFirstDrive are on its page.
func runsIn(t *testing.T, folder, test, words string) bool {
	t.Helper()
	if test == "TestFirstDrive" && !strings.Contains(ofRepository(t, "docs/first-drive.md"), "\n$ rig "+words) {
		return false
	}
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "func "+test+"(t *testing.T)") {
			lacks := func(word string) bool { return !strings.Contains(string(text), `"`+word) }
			return test == "TestFirstDrive" || !slices.ContainsFunc(strings.Fields(words), lacks)
		}
	}
	return false
}

// runsHere reports whether TestCommandsOfThePagesWork runs a command: it needs no hardware and ends soon by itself.
func (c docCommand) runsHere() bool {
	for _, words := range []string{"motion omct", "motion jog --demo", "run --demo --headless --duration", "--help"} {
		if begins(c.args, words) {
			return true
		}
	}
	switch c.args[0] {
	case "export", "replay", "report":
		return len(c.args) > 1 && !begins(c.args, "replay --display") && !begins(c.args, "replay --picture") && !begins(c.args, "replay --repair")
	case "channels", "check", "completion", "help", "ls", "man", "road", "tire", "version", "--version":
		return true
	case "maneuver":
		return !begins(c.args, "maneuver --on")
	case "devices":
		return !begins(c.args, "devices --watch")
	}
	return false
}
