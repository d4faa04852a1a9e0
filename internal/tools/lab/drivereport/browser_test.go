package drivereport

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/files/drivelog"
	"rig.example/rig/test/level"
)

// probe is a script that uses a page as a reader does, and then sends what it saw to the frame around it.
const probe = `<script>
{
	const seen = {Width: document.documentElement.scrollWidth, Hacked: "hacked" in window};
	const plots = () => Object.fromEntries(window.rigReport.plots.map(p => [p.id, p.points]));
	const area = document.querySelector("#speed .area"), box = area.getBoundingClientRect();
	const send = (name, x) => area.dispatchEvent(new PointerEvent(name, {bubbles: true, clientX: box.left + 46 + x * (box.width - 60), clientY: box.top + 50}));
	const choose = (id, value) => {
		document.getElementById(id).value = value;
		document.getElementById(id).dispatchEvent(new Event("change"));
	};
	seen.Whole = plots();
	send("pointerdown", 0.25);
	send("pointermove", 0.5);
	send("pointerup", 0.5);
	seen.Zoomed = plots();
	send("pointermove", 0.5);
	seen.Rules = [...document.querySelectorAll(".rule")].filter(e => e.style.visibility === "visible").length;
	seen.Dots = [...document.querySelectorAll(".dot")].filter(e => e.style.visibility === "visible").length;
	seen.Speed = document.querySelector("#speed .legend").innerText.trim();
	seen.Reading = document.getElementById("reading").textContent;
	send("dblclick", 0.5);
	seen.Reset = plots();
	choose("a", "0 0");
	choose("b", "0 1");
	seen.Compared = plots();
	choose("over", "time");
	seen.OverTime = plots();
	parent.postMessage([window.name, seen], "*");
}
</script>`

// seen is what the probe saw: the number of drawn samples of each plot in each state of the page, and more.
type seen struct {
	Width                                    int // of the page's content [px]
	Hacked                                   bool
	Whole, Zoomed, Reset, Compared, OverTime map[string]int
	Rules, Dots                              int    // cursors that are shown
	Speed, Reading                           string // texts at the cursor
}

// view is a page in a frame of a width [px].
type view struct {
	width  int
	report Report
}

// around is a page with a frame for each view, because no window is narrower than 500 px. It collects what the probes
// saw.
const around = `<!DOCTYPE html><pre id="seen"></pre><script>
const all = {};
window.onmessage = e => {
	all[e.data[0]] = e.data[1];
	document.getElementById("seen").textContent = JSON.stringify(all);
};
</script>`

// browse opens views in Chromium and returns what the probe saw in each, by name. Messages of the console are errors.
func browse(t *testing.T, views map[string]view) (all map[string]seen) {
	t.Helper()
	level.SkipIfQuick(t)
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" || level.All() {
			t.Fatal("chromium is missing; install the package chromium")
		}
		t.Skip("chromium is missing: the page is not opened; install the package chromium")
	}
	folder, err := os.MkdirTemp("", "drivereport") // not t.TempDir: a late process of Chromium may still write into it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	page := around
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, v := range views {
		write(name, written(t, v.report)+probe)
		page += fmt.Sprintf(`<iframe name=%[1]q src="%[1]s.html" width=%[2]d height=900 style="border: 0"></iframe>`, name, v.width)
	}
	write("around", page)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--virtual-time-budget=5000", "--user-data-dir="+folder, "--enable-logging=stderr", "--dump-dom", "file://"+folder+"/around.html")
	var out, console bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &console, 10*time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, console.Bytes())
	}
	for _, line := range regexp.MustCompile(`(?m)^.*CONSOLE.*$`).FindAllString(console.String(), -1) {
		t.Error(line)
	}
	m := regexp.MustCompile(`(?s)<pre id="seen">(.*?)</pre>`).FindSubmatch(out.Bytes())
	if m == nil || len(m[1]) == 0 {
		t.Fatalf("no probe has ended:\n%s", console.Bytes())
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(string(m[1]))), &all); err != nil {
		t.Fatal(err)
	}
	for name, v := range views {
		switch s, ok := all[name]; {
		case !ok:
			t.Errorf("%s: the probe has not ended", name)
		case s.Width > v.width:
			t.Errorf("%s: the page is %d px wide in a frame of %d px", name, s.Width, v.width)
		case s.Hacked:
			t.Errorf("%s: text of the log ran as a script", name)
		}
	}
	return all
}

// empty returns the plots that have no samples.
func empty(plots map[string]int) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(plots)) {
		if plots[id] == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestPagesInABrowser(t *testing.T) {
	slow := oval(0.97)
	slow.Car, slow.Events[0].Text = hostile, hostile
	poor := bare(map[string]string{"speed": "m/s", "station": "m"}, 0, 1, 2, 3, 4, 5, 6, 7)
	poor.Laps = []drivelog.Lap{{Number: 1, Start: 99, Time: 1}, {Number: 2, Start: 0.1, Time: 0.5}} // the first is outside
	one, two := []*drivelog.Log{oval(1)}, []*drivelog.Log{oval(1), slow}
	all := browse(t, map[string]view{
		"one": {1280, Report{Drives: one}}, "two": {1280, Report{Drives: two}}, "poor": {1280, Report{Drives: []*drivelog.Log{poor}}},
		"narrow": {360, Report{Drives: one}}, "narrow two": {360, Report{Drives: two, Notes: []string{hostile}}},
	})
	for _, name := range []string{"one", "narrow"} {
		t.Run(name, func(t *testing.T) { checkOne(t, all[name]) })
	}
	for _, name := range []string{"two", "narrow two"} {
		t.Run(name, func(t *testing.T) { checkTwo(t, all[name]) })
	}
	if s := all["poor"]; len(s.Whole) != 1 || s.Whole["speed"] != 8 || s.Compared["speed"] != 5 {
		t.Errorf("drawn of a poor log: %v and %v, want the speed alone, and of lap 2 five samples", s.Whole, s.Compared)
	}
}

// checkOne checks what the probe saw of one drive.
func checkOne(t *testing.T, s seen) {
	t.Helper()
	if len(s.Whole) != 18 || len(empty(s.Whole)) > 0 || s.Whole["speed"] != 6000 || s.Whole["load"] != 24000 || s.Whole["map"] != 6000 {
		t.Errorf("drawn: %v, want 18 plots with all samples", s.Whole)
	}
	if n := s.Zoomed["speed"]; n < 1490 || n > 1510 || s.Zoomed["gg"] != n || s.Zoomed["map"] != n {
		t.Errorf("drawn of a quarter: %v, want 1500 samples", s.Zoomed)
	}
	if !maps.Equal(s.Whole, s.Reset) {
		t.Errorf("drawn after a double click: %v, want %v", s.Reset, s.Whole)
	}
	if s.Rules != 15 || s.Dots != 2 || !strings.HasPrefix(s.Reading, "0:22.") || !regexp.MustCompile(`^1\d\d\.\d$`).MatchString(s.Speed) {
		t.Errorf("%d cursors, %d dots, speed %q at %q; want 15, 2 and the speed at 22.5 s", s.Rules, s.Dots, s.Speed, s.Reading)
	}
	if n := s.Compared["difference"]; len(s.Compared) != 19 || n < 2600 || n > 2650 || s.Compared["speed"] < 5200 {
		t.Errorf("drawn of two laps: %v, want both and their difference", s.Compared)
	}
	if _, ok := s.OverTime["difference"]; ok || s.OverTime["speed"] != s.Compared["speed"] {
		t.Errorf("drawn over time: %v, want all but the difference", s.OverTime)
	}
}

// checkTwo checks what the probe saw of two drives.
func checkTwo(t *testing.T, s seen) {
	t.Helper()
	if n := s.Whole["difference"]; len(s.Whole) != 19 || len(empty(s.Whole)) > 0 || n < 2650 || n > 2700 {
		t.Errorf("drawn: %v, want the best laps and their difference", s.Whole)
	}
	if s.Dots != 4 || !regexp.MustCompile(`^A\s*\d+\.\d\s*B\s*\d+\.\d$`).MatchString(s.Speed) {
		t.Errorf("%d dots, speed %q, want both cars", s.Dots, s.Speed)
	}
}
