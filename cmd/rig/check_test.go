package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/tools/check"
)

// Problems stand first, each with its command on a line of its own, then the parts of the rig, then what to do.
func TestAReportBeginsWithTheWorst(t *testing.T) {
	command := "sudo usermod -aG input $USER"
	r := check.Report{
		Findings: []check.Finding{
			{Check: "port", Level: check.Error, Where: "platform", What: "no port\x1b[2J", Remedy: "plug it in"},
			{Check: "groups", Level: check.Warning, Where: "groups", What: "ann is not in input", Remedy: "join: `" + command + "`", Command: command},
			{Check: "smt", Level: check.Note, Where: "processor", What: "shares", Remedy: "isolate both"},
		},
		Summary: []check.SummaryLine{{Part: check.Car, Text: "coupe"}, {Part: check.Wheel, Text: "none", Problems: 2}},
	}
	var out bytes.Buffer
	printReport(newInk(&out), r)
	const want = `error    platform: no port\x1b[2J
         → plug it in
warning  groups: ann is not in input
         → join:
           sudo usermod -aG input $USER
note     processor: shares
         → isolate both

car            coupe: ok
wheel          none: 2 problems
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", &out, want)
	}
	if err := errorOfFindings(r.Findings); err == nil || err.Error() != "check: fix 1 of 2 problems first" {
		t.Errorf("error %v", err)
	}
	for want, findings := range map[string][]check.Finding{
		"\nno problems found\n": r.Findings[2:], "car            coupe: ok\n": nil, "\n1 to fix or to accept; none keeps rig from driving\n": r.Findings[1:],
	} {
		out.Reset()
		printReport(newInk(&out), check.Report{Findings: findings, Summary: r.Summary})
		if !strings.Contains(out.String(), want) || errorOfFindings(findings) != nil {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}

func TestTheResolvedConfigurationIsPrintedOnRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rig.toml")
	if err := os.WriteFile(path, []byte("track = \"skidpad\"\n[guard]\nengage_s = 3.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, short, _ := rigCommand(t, "check", "--config", path)
	_, long, _ := rigCommand(t, "check", "--all", "--config", path)
	if strings.Contains(short, "engage_s") || !strings.Contains(short, "\ntrack          skidpad, dry: ok\n") || !strings.Contains(short, "configuration  "+path+": ok\n") {
		t.Errorf("check:\n%s", short)
	}
	if !strings.Contains(long, "\nengage_s = 3.5\n") || !strings.Contains(long, "resolves to, with the force feedback's preset") {
		t.Errorf("check --all:\n%s", long)
	}
	_, out, _ := rigCommand(t, "check", "--json", "--config", path)
	var got struct {
		Config, Motion string
		Problems       []check.Finding
		Summary        []check.SummaryLine
		Resolved       map[string]any
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Config != path || got.Motion == "" || got.Problems == nil || len(got.Summary) != 10 || got.Resolved["guard"] == nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Colors are for terminals whose user wants them.
func TestColorsAreForTerminals(t *testing.T) {
	master, slave := pty(t)
	for _, tt := range []struct {
		term, noColor string
		want          bool
	}{{"xterm-256color", "", true}, {"dumb", "", false}, {"xterm", "1", false}} {
		t.Setenv("TERM", tt.term)
		t.Setenv("NO_COLOR", tt.noColor)
		newInk(&screen{w: slave}).print(red, "error%s\n", "\x1b[5m")
		b := make([]byte, 100)
		n, err := master.Read(b)
		text := string(b[:n])
		if err != nil || strings.HasPrefix(text, red) != tt.want || strings.Contains(text, "\x1b[5m") {
			t.Errorf("%+v: %q, %v", tt, text, err)
		}
	}
	var out bytes.Buffer
	if newInk(&screen{w: &out}).print(red, "error"); out.String() != "error" {
		t.Errorf("into a file: %q", &out)
	}
}

// What takes long says on a terminal what it does, and leaves nothing behind.
func TestProgressIsShownAndRemoved(t *testing.T) {
	master, slave := pty(t)
	next, end := progressAfter(&screen{w: slave}, 0)
	next("wheel")
	read := func(want string) {
		t.Helper()
		text := ""
		for b := make([]byte, 100); !strings.HasSuffix(text, want); {
			n, err := master.Read(b)
			if text += string(b[:n]); err != nil {
				t.Fatalf("%q, %v; want %q", text, err, want)
			}
		}
	}
	next("sound")
	read("rig: checking sound …")
	end()
	read("\r\x1b[K")
	if next, end := progressAfter(&bytes.Buffer{}, 0); next != nil {
		t.Error("progress is shown elsewhere than on a terminal")
	} else {
		end()
	}
}

// checkGrowth compares a recording's size with what rig check takes to say how long there is room. A short one has
// its header besides.
func checkGrowth(t *testing.T, path string) {
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	const ticksPerMinute, rate = 60_000, 100
	perMinute := float64(st.Size()) / float64(r.Length()) * ticksPerMinute
	if ratio := perMinute / recording.BytesPerMinute(rate); ratio < 0.5 || ratio > 2 {
		t.Errorf("it grows by %.3g bytes a minute, %.2f of what is assumed", perMinute, ratio)
	}
}
