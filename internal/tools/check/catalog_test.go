package check

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var write = flag.Bool("write", false, "write docs/reference/findings.md anew")

// sources returns the text of the packages that report findings.
func sources(t *testing.T) string {
	t.Helper()
	text := ""
	for _, folder := range []string{".", "../../live/machine", "../../kit/usbserial", "../../kit/rt", "../../connect/games", "../../connect/outputs", "../../connect/soundplayer", "../../connect/session/member"} {
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(f, "_test.go") {
				text += string(b)
			}
		}
	}
	return text
}

// Each check that the code reports is in the catalog, and no other.
func TestTheCatalogHasAllChecks(t *testing.T) {
	reported := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:\badd\(|\breport\(|check: +|Problem\{)"([a-z-]+)",`).FindAllStringSubmatch(sources(t), -1) {
		reported[m[1]] = true
	}
	listed := map[string]bool{}
	for _, e := range Catalog {
		if listed[e.Name] {
			t.Errorf("%q is in the catalog twice", e.Name)
		}
		listed[e.Name] = true
		if e.Level.rank() < 0 || e.Checked == "" || e.Remedy == "" || e.Part == "" {
			t.Errorf("%q is not described: %+v", e.Name, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reported)) {
		if !listed[name] {
			t.Errorf("the code reports %q, which is not in the catalog", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !reported[name] {
			t.Errorf("%q is in the catalog, and the code does not report it", name)
		}
	}
}

// docs/reference/findings.md is made of the catalog.
func TestTheCatalogIsDocumented(t *testing.T) {
	const path = "../../../docs/reference/findings.md"
	want := "# What rig check finds\n\nThis page is made of the program's own list by `go test ./internal/tools/check -run Catalog -write`. [What\n" +
		"`rig check` prints](../troubleshooting.md#what-rig-check-prints) says how to use it.\n" + catalogTable()
	if *write {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(path); err != nil || string(page) != want {
		t.Errorf("%s differs from the catalog (%v): go test ./internal/tools/check -run Catalog -write", path, err)
	}
}

// catalogTable returns the catalog in Markdown, by parts of the rig.
func catalogTable() string {
	var b strings.Builder
	b.WriteString("\n<!-- contents -->\n\n")
	part := Part("")
	for _, e := range Catalog {
		if e.Part != part {
			part = e.Part
			fmt.Fprintf(&b, "- [%s](#%s)\n", title(part), strings.ReplaceAll(string(part), " ", "-"))
		}
	}
	b.WriteString("\n<!-- end -->\n")
	for _, e := range Catalog {
		if e.Part != part {
			part = e.Part
			fmt.Fprintf(&b, "\n## %s\n\n| name | level | what is wrong | remedy |\n|---|---|---|---|\n", title(part))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", e.Name, e.Level, e.Checked, strings.ReplaceAll(e.Remedy, "|", `\|`))
	}
	return b.String()
}

func title(p Part) string { return strings.ToUpper(string(p)[:1]) + string(p)[1:] }

// programs are those with which a remedy's command may begin.
var programs = []string{"rig", "sudo", "echo", "kill", "ls"}

// runnable returns why a command that a remedy gives could not be pasted into a shell, or nil.
func runnable(command string) error {
	first, _, _ := strings.Cut(command, " ")
	switch {
	case !slices.Contains(programs, first):
		return fmt.Errorf("%q: a command of a remedy begins with one of %v", command, programs)
	case first == "echo" && !strings.Contains(command, " | sudo tee "):
		return fmt.Errorf("%q: it only prints", command)
	case regexp.MustCompile(`[<>…%]|\b[A-Z]{2,}\b`).MatchString(strings.ReplaceAll(regexp.MustCompile(`'[^']*'`).ReplaceAllString(command, ""), "$USER", "")):
		return fmt.Errorf("%q: it has a placeholder", command)
	}
	if _, err := exec.LookPath("sh"); err != nil {
		return nil // in the virtual machine
	}
	if out, err := exec.Command("sh", "-n", "-c", command).CombinedOutput(); err != nil {
		return fmt.Errorf("%q: %s", command, cmp.Or(string(out), err.Error()))
	}
	return nil
}

func TestPlaceholdersAreNoCommands(t *testing.T) {
	for command, ok := range map[string]bool{
		"rig calibrate wheel": true, "sudo usermod -aG realtime,input $USER": true, "echo on | sudo tee /sys/bus/usb/devices/1-2/power/control": true,
		"kill PID": false, "see rig devices": false, "sudo modprobe <driver>": false, "echo on": false, "sudo tee 'x": false, "sudo rm …": false,
	} {
		if err := runnable(command); (err == nil) != ok {
			t.Errorf("%q: %v", command, err)
		}
	}
}

// A remedy that ends with a command claims that it can be copied. Those that are put together of parts are checked
// where tests find them; here are the others, in the sources.
func TestRemediesAreRunnable(t *testing.T) {
	count := 0
	for _, m := range regexp.MustCompile("\"[^\"\n]*: `([^`\n\"]*)`\"").FindAllStringSubmatch(sources(t), -1) {
		count++
		command := regexp.MustCompile(`%[a-z]`).ReplaceAllString(m[1], "7")
		if err := runnable(command); err != nil {
			t.Error(err)
		}
	}
	if count < 10 {
		t.Errorf("found only %d commands", count)
	}
}

func TestTheCommandOfARemedy(t *testing.T) {
	for remedy, want := range map[string]string{
		"join: `sudo usermod -aG input $USER`": "sudo usermod -aG input $USER",
		"see `rig devices`":                    "",
		"a: `b`; then c":                       "",
		"first: second: `rig ls`":              "rig ls",
	} {
		if got := commandOf(remedy); got != want {
			t.Errorf("%q: %q, want %q", remedy, got, want)
		}
	}
}
