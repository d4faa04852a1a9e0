package watch

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/test/level"
)

// `go test ./internal/tools/watch -run Board -write` writes the boards in testdata anew: look at them.
var write = flag.Bool("write", false, "write the boards in testdata")

// scripted returns the frame of a drive at a time: it accelerates, brakes, turns left and right, and misses some periods.
func scripted(at time.Duration) *frame.Frame {
	s := at.Seconds()
	f := &frame.Frame{
		Tick: uint64(at.Milliseconds()), State: uint64(guard.Driving), Flags: frame.WheelPresent | frame.PedalsPresent | frame.PlatformPresent | frame.EngineRunning | frame.AutoGears | frame.Demo,
		Speed: 30 + 25*math.Sin(s/8), Gear: 4, RPM: 4210, Throttle: 0.8, Fuel: 38.44, Charge: 0.7, ABS: 5, Stability: 3, Gain: 1,
		RimTorque: 6 * math.Sin(s/3), RatedTorque: 8, LateMax: 0.00042, TickCost: 0.00008, Pictures: uint64(60 * s),
	}
	f.Flags |= frame.StabilityActive
	f.Missed = uint64(max(0, 7*(s-20)))
	f.Pose[frame.Roll], f.Pose[frame.Pitch] = 0.05*math.Sin(s/3), -0.02*math.Cos(s/4)
	f.Force.Clipped, f.Force.HandsOn = 0.004, 0.9
	f.Motion = frame.Motion{State: uint64(motion.Active), LegCount: 2, GuardShare: 1, Scale: 1, Rate: 250}
	f.Lap = frame.Lap{Number: 3, Count: 2, Time: 62.34, Last: 95.204, Best: 94.89, Delta: 0.21}
	f.Display = frame.Display{Refresh: 60, P50: 1. / 60, P99: 0.018, Dropped: 3, Age: 0.02}
	f.Sound = frame.Sound{Devices: 1, Latency: 0.012}
	f.Recorder = frame.Recorder{On: 1, Bytes: 12_300_000}
	return f
}

// driven returns a board of a drive of that length, and its last frame. The loop ran for 999 ticks a second.
func driven(trends bool, length time.Duration) (*Board, *frame.Frame) {
	b := &Board{Trends: trends}
	for at := time.Duration(0); at < length; at += 100 * time.Millisecond {
		b.Add(at, uint64(at.Milliseconds())*999/1000+1, scripted(at))
	}
	return b, scripted(length - 100*time.Millisecond)
}

const longNotice = "STOPPED: the emergency stop at GPIO 17 is pressed; no torque, the platform parks; release the switch, then confirm: Enter in the window, or rig confirm"

func TestBoards(t *testing.T) {
	hint := Words{Cause: "faded in", Hint: "Ctrl-C parks and ends; emergency stop: rig stop in another terminal"}
	stopped := func(f *frame.Frame) {
		f.State, f.Flags = uint64(guard.Stopped), f.Flags|frame.ConfirmInterlock|frame.Clipping|frame.LapInvalid|frame.OffTrack
		f.Motion.State, f.Motion.Faults, f.Dropped = uint64(motion.Fault), uint64(wire.FaultSilent), 4
	}
	game := func(f *frame.Frame) {
		f.Follow = frame.Follow{On: 1, Status: uint64(follow.Ready), Packets: 12_345, Lost: 6, PacketRate: 60, Delay: 0.021, Trusted: 0.1}
		f.Display, f.Sound = frame.Display{}, frame.Sound{}
	}
	for _, tt := range []struct {
		name   string
		trends bool
		change func(*frame.Frame)
		words  Words
	}{
		{"watch", true, func(*frame.Frame) {}, hint},
		{"run", false, func(*frame.Frame) {}, hint},
		{"stopped", false, stopped, Words{Cause: "emergency stop: GPIO 17", Notice: longNotice}},
		{"game", false, game, hint},
		{"laps", false, func(f *frame.Frame) { f.Lap.Distance = 1000 }, Words{Laps: Laps{Limit: 5, Length: 3900}}},
	} {
		b, f := driven(tt.trends, 70*time.Second)
		tt.change(f)
		for _, columns := range []int{80, 120} {
			const rows = 24
			got := picture(b.Lines(f, tt.words, columns, rows))
			checkWidth(t, got, columns-1)
			if n := strings.Count(got, "\n"); n > rows-1 {
				t.Errorf("%s: %d lines of %d", tt.name, n, rows-1)
			}
			compare(t, filepath.Join("testdata", fmt.Sprintf("%s-%d.txt", tt.name, columns)), got)
		}
	}
}

// picture returns lines as text, with a mark for their tone.
func picture(lines []console.Line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %s\n", [...]string{console.Plain: " ", console.Title: "=", console.Warning: "?", console.Failure: "!"}[l.Tone], l.Text)
	}
	return b.String()
}

func checkWidth(t *testing.T, text string, most int) {
	t.Helper()
	for l := range strings.Lines(text) {
		if n := console.Width(strings.TrimSuffix(l, "\n")[2:]); n > most {
			t.Errorf("%d columns of %d: %s", n, most, l)
		}
	}
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *write {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v; now it is\n%s", path, err, got)
	}
}

// In every size a board stays within the terminal. Where there is no room for all, trends go first; in the smallest
// one line is left.
func TestABoardFitsIntoEveryTerminal(t *testing.T) {
	level.SkipIfQuick(t)
	b, f := driven(true, 70*time.Second)
	w := Words{Cause: "faded in", Notice: longNotice}
	seen := map[bool]int{} // by whether there are trends
	for columns := 1; columns < 200; columns++ {
		for rows := 1; rows < 40; rows++ {
			lines := b.Lines(f, w, columns, rows)
			if len(lines) > max(rows-1, 1) {
				t.Fatalf("%d by %d: %d lines", columns, rows, len(lines))
			}
			if len(lines) == 1 {
				if columns >= 60 && rows > 13 || !strings.Contains(lines[0].Text, longNotice) {
					t.Fatalf("%d by %d: one line, %q", columns, rows, lines[0].Text)
				}
				continue
			}
			text := picture(lines)
			checkWidth(t, text, columns-1)
			seen[strings.Contains(text, "km/h") && strings.Contains(text, "▁")]++
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("boards with and without trends: %v", seen)
	}
}

func TestATrendHasABlockForEachSecond(t *testing.T) {
	var c trend
	for _, v := range []struct {
		second int64
		value  float64
	}{{10, 1}, {10, -4}, {10, 3}, {11, 2}, {14, 4}} {
		c.peak(v.second, v.value)
	}
	if got := fmt.Sprint(c.last(9)); got != "[-4 2 NaN NaN 4]" {
		t.Error(got)
	}
	var n trend
	for _, second := range []int64{3, 3, 4, 4, 4, 6} {
		n.sum(second, 2)
	}
	if got := fmt.Sprint(n.last(9)); got != "[4 6 NaN]" { // the newest second is not over
		t.Error(got)
	}
	c.peak(1000, 7)
	if got := c.last(99); len(got) > maxTrend+1 || got[len(got)-1] != 7 || !math.IsNaN(got[0]) {
		t.Error(got)
	}
	for _, tt := range []struct {
		values    []float64
		low, high float64
		width     int
		want      string
	}{
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 0, 7, 9, " ▁▂▃▄▅▆▇█"},
		{[]float64{-1, math.NaN(), 1, 9, -9}, -1, 1, 5, "▁ ██▁"},
		{nil, 0, 1, 3, "   "},
	} {
		if got := sparkline(tt.values, tt.low, tt.high, tt.width); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.values, got, tt.want)
		}
	}
}

func TestTheRateOfTicks(t *testing.T) {
	var r rate
	if r.add(0, 5); !math.IsNaN(r.perSecond()) {
		t.Error("a rate after no time")
	}
	for at := time.Duration(0); at <= 10*time.Second; at += 50 * time.Millisecond {
		r.add(at, uint64(at.Milliseconds()))
	}
	if got := r.perSecond(); got != 1000 {
		t.Errorf("%g a second", got)
	}
	for at := 10 * time.Second; at <= 13*time.Second; at += 50 * time.Millisecond {
		r.add(at, 10_000) // the loop hangs
	}
	if got := r.perSecond(); got != 0 || len(r.times) > 50 {
		t.Errorf("%g a second of a loop that hangs, %d values", got, len(r.times))
	}
}
