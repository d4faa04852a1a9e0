package calib

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib/dialog"
)

// playback is a recorded device: each Next gives the next row.
type playback struct {
	axes   []AxisRange
	rows   [][]int32
	pulses []float64
	push   func(p *playback) // what a pulse does to the rows to come
}

func (p *playback) Device() Identity  { return someWheel }
func (p *playback) Axes() []AxisRange { return p.axes }

func (p *playback) Next(raw []int32) error {
	if len(p.rows) == 0 {
		return io.ErrUnexpectedEOF
	}
	copy(raw, p.rows[0])
	p.rows = p.rows[1:]
	return nil
}

func (p *playback) Pulse(share float64, d time.Duration) error {
	p.pulses = append(p.pulses, share)
	if p.push != nil {
		p.push(p)
	}
	return nil
}

// hold repeats a row for n snapshots of 10 ms.
func hold(n int, row ...int32) [][]int32 {
	var out [][]int32
	for range n {
		out = append(out, slices.Clone(row))
	}
	return out
}

// sweep moves axis i of row from its value to end in n snapshots.
func sweep(n, i int, end int32, row ...int32) [][]int32 {
	var out [][]int32
	for k := range n {
		r := slices.Clone(row)
		r[i] += (end - r[i]) * int32(k+1) / int32(n)
		out = append(out, r)
	}
	return out
}

var steering = []AxisRange{{"ABS_X", 0, 65535}}

// turned is a wheel turned to left, right and back, and still afterwards.
func turned() *playback {
	return &playback{axes: steering, rows: slices.Concat(
		hold(20, 32768),
		sweep(30, 0, 500, 32768), hold(150, 500),
		sweep(60, 0, 65000, 500), hold(150, 65000),
		sweep(30, 0, 33000, 65000), hold(400, 33000),
	)}
}

func TestWheelMeasuresLocksAndCenter(t *testing.T) {
	src := turned()
	src.push = func(p *playback) { p.rows = sweep(40, 0, 32000, 33000) }
	var out strings.Builder
	opt := DefaultWheelOptions()
	opt.PushOK = true
	p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(""), &out, true), opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if p.Left != 500 || p.Right != 65000 || p.Center != 33000 || p.RangeDeg != 900 || p.Force != 1 {
		t.Errorf("got %+v, want 500, 65000, 33000, 900 degrees, sign +1", p)
	}
	if len(p.Samples) == 0 || len(p.Samples) > maxSamples {
		t.Errorf("%d raw samples are kept, want 1..%d", len(p.Samples), maxSamples)
	}
	if len(src.pulses) != 1 || src.pulses[0] != 0.08 {
		t.Errorf("pulses %v, want one of 0.08", src.pulses)
	}
	if a := p.Angle(500); a <= 0 {
		t.Errorf("left lock at %g rad, want it positive", a)
	}
}

func TestSignTest(t *testing.T) {
	tests := []struct {
		name    string
		answers string // range, then consent
		moves   int32  // where the pulse takes the rim, from 33000
		want    int
		pulses  int
	}{
		{"rim goes left", "900\nyes\n", 32000, 1, 1},
		{"rim goes right", "900\nyes\n", 34000, -1, 1},
		{"rim stays and is left alone", "900\nyes\nno\n", 33010, 0, 1},
		{"rim stays", "900\nyes\nyes\nyes\n", 33010, 0, 3},
		{"no consent", "900\nno\n", 32000, 0, 0},
		{"an empty line is no consent", "900\n\n", 32000, 0, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			src := turned()
			src.push = func(p *playback) { p.rows = sweep(60, 0, c.moves, 33000) }
			p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(c.answers), io.Discard, false), DefaultWheelOptions())
			if err != nil {
				t.Fatal(err)
			}
			if p.Force != c.want || len(src.pulses) != c.pulses {
				t.Errorf("sign %d after %d pulses, want %d after %d", p.Force, len(src.pulses), c.want, c.pulses)
			}
		})
	}
}

// Agreeing to every question is not agreeing to be pushed.
func TestAssumedYesDoesNotPush(t *testing.T) {
	src := turned()
	p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(""), io.Discard, true), DefaultWheelOptions())
	if err != nil {
		t.Fatal(err)
	}
	if len(src.pulses) != 0 || p.Force != 0 {
		t.Errorf("pulses %v, sign %d; want none", src.pulses, p.Force)
	}
}

func TestLockIsTheFarthestPointThatIsHeld(t *testing.T) {
	tests := []struct {
		name string
		rows [][]int32 // until the left lock is held; a pedal rests at 255
		left int32
	}{
		{"a hand that gives way", slices.Concat(hold(20, 32768, 255), sweep(30, 0, 500, 32768, 255), hold(40, 500, 255), hold(150, 1500, 255)), 500},
		{"let go and turned again", slices.Concat(hold(20, 32768, 255), sweep(30, 0, 500, 32768, 255), sweep(5, 0, 4000, 500, 255), hold(150, 4000, 255), hold(150, 400, 255)), 400},
		{"to the wrong side first", slices.Concat(hold(20, 20000, 255), sweep(30, 0, 60000, 20000, 255), sweep(60, 0, 500, 60000, 255), hold(150, 500, 255)), 500},
		{"there already", hold(150, 100, 255), 100},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			src := &playback{axes: []AxisRange{steering[0], {"ABS_Z", 0, 255}}, rows: slices.Concat(c.rows,
				sweep(60, 0, 65000, c.left, 255), hold(150, 65000, 255),
				sweep(30, 0, 33000, 65000, 255), hold(150, 33000, 255))}
			p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(""), io.Discard, true), DefaultWheelOptions())
			if err != nil {
				t.Fatal(err)
			}
			if p.Left != c.left || p.Right != 65000 || p.Center != 33000 {
				t.Errorf("got %d, %d, %d; want %d, 65000, 33000", p.Left, p.Right, p.Center, c.left)
			}
		})
	}
}

func TestWheelThatCountsLeft(t *testing.T) {
	src := turned()
	for _, r := range src.rows {
		r[0] = 65535 - r[0]
	}
	src.push = func(p *playback) { p.rows = sweep(40, 0, 34000, 32535) } // towards its left lock
	p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader("yes\n900\nyes\n"), io.Discard, false), DefaultWheelOptions())
	if err != nil {
		t.Fatal(err)
	}
	if p.Force != 1 || p.Angle(p.Left) <= 0 || p.Angle(p.Right) >= 0 {
		t.Errorf("sign %d, left %g rad, right %g rad; want +1, positive, negative", p.Force, p.Angle(p.Left), p.Angle(p.Right))
	}
}

func TestWheelRefusals(t *testing.T) {
	quick := DefaultWheelOptions()
	quick.Window = 3 * time.Second
	badAxis := quick
	badAxis.Axis = "ABS_RX"
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name    string
		ctx     context.Context
		rows    [][]int32
		answers string
		opt     WheelOptions
		says    string
	}{
		{"never turned", context.Background(), hold(1000, 32768), "", quick, "left lock"},
		{"never still", context.Background(), slices.Repeat([][]int32{{0}, {3000}}, 500), "", quick, "too little travel"},
		{"never turned from what may be the kernel's 0", context.Background(), hold(1000, 0), "", quick, "left lock"},
		{"right before left", context.Background(), slices.Concat(hold(20, 32768), hold(150, 65000), hold(150, 500)), "no\n", quick, "mixed up"},
		{"no such axis", context.Background(), hold(10, 0), "", badAxis, "ABS_RX"},
		{"cancelled", cancelled, hold(10, 0), "", quick, "canceled"},
		{"unplugged", context.Background(), hold(10, 0), "", quick, "unexpected EOF"},
		{"a word instead of degrees", context.Background(), turned().rows, "many\n", quick, "no answer"},
		{"no answer", context.Background(), turned().rows, "", quick, "--yes"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			_, err := Wheel(c.ctx, &playback{axes: steering, rows: c.rows}, dialog.New(strings.NewReader(c.answers), io.Discard, false), c.opt)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

var threeAxes = []AxisRange{{"ABS_X", 0, 65535}, {"ABS_Z", 0, 255}, {"ABS_RZ", 0, 255}}

func TestPedalsFindTheirAxes(t *testing.T) {
	rest := []int32{32768, 255, 250}
	noisy := hold(200, rest...)
	for i := range noisy {
		noisy[i][2] += int32(i%2)*4 - 2 // 248 or 252: sigma 2
	}
	src := &playback{axes: threeAxes, rows: slices.Concat(
		noisy,
		sweep(20, 2, 10, rest...), sweep(20, 2, 250, 32768, 255, 10), // throttle is on ABS_RZ
		sweep(20, 1, 0, rest...), sweep(20, 1, 255, 32768, 0, 250), // brake on ABS_Z
	)}
	opt := DefaultPedalsOptions()
	opt.Except = []string{"ABS_X"}
	p, err := Pedals(t.Context(), src, dialog.New(strings.NewReader("\n\n\ns\n"), io.Discard, false), opt)
	if err != nil {
		t.Fatal(err)
	}
	if p.Throttle == nil || p.Throttle.Code != "ABS_RZ" || p.Throttle.Rest != 250 || p.Throttle.Press != 10 {
		t.Errorf("throttle %+v, want ABS_RZ from 250 to 10", p.Throttle)
	}
	if p.Brake == nil || p.Brake.Code != "ABS_Z" || p.Brake.Rest != 255 || p.Brake.Press != 0 {
		t.Errorf("brake %+v, want ABS_Z from 255 to 0", p.Brake)
	}
	if p.Clutch != nil {
		t.Errorf("clutch %+v, want it skipped", p.Clutch)
	}
	// three sigma of 2 counts over 240 counts
	if want := 6.0 / 240; math.Abs(p.Throttle.DeadLow-want) > 1e-9 || p.Brake.DeadLow != minDead {
		t.Errorf("dead zones %g and %g, want %g and %g", p.Throttle.DeadLow, p.Brake.DeadLow, want, minDead)
	}
}

func TestPedalsRefusals(t *testing.T) {
	opt := PedalsOptions{Names: []string{"brake"}, Rest: 100 * time.Millisecond, Window: time.Second, Except: []string{"ABS_X"}}
	rest := []int32{0, 255, 255}
	still := hold(10, rest...)
	tests := []struct {
		name  string
		rows  [][]int32
		names []string
		says  string
	}{
		{"a pedal that hardly moves", slices.Concat(still, sweep(10, 1, 235, rest...), hold(200, rest...)), []string{"brake"}, "ABS_Z moved most, by 7.8 %"},
		{"a pedal that stays down", slices.Concat(still, sweep(10, 1, 0, rest...), hold(200, 0, 0, 255)), []string{"brake"}, "not let go"},
		{"only the steering moves", slices.Concat(still, sweep(10, 0, 65535, rest...), hold(200, rest...)), []string{"brake"}, "too little travel"},
		{"a pedal of no name", still, []string{"horn"}, `"horn"`},
		{"no pedal at all", still, nil, "no pedal is described"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			opt.Names = c.names
			_, err := Pedals(t.Context(), &playback{axes: threeAxes, rows: c.rows}, dialog.New(strings.NewReader(""), io.Discard, true), opt)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
	_, err := Pedals(t.Context(), &playback{axes: steering}, dialog.New(strings.NewReader(""), io.Discard, true), opt)
	if err == nil || errors.Is(err, ErrNoTravel) {
		t.Errorf("a device with no pedal axis gives %v", err)
	}
}

// plugged is a recorded device that was just plugged in: until an axis has reported, the
// kernel holds 0 for it.
type plugged struct {
	playback
	from  []int // row in which each axis reports first
	row   int
	asked *strings.Builder
}

func (p *plugged) Next(raw []int32) error {
	if err := p.playback.Next(raw); err != nil {
		return fmt.Errorf("%w in row %d after %q", err, p.row, p.asked)
	}
	p.row++
	for i := range raw {
		if !p.AxisReported(i) {
			raw[i] = 0
		}
	}
	return nil
}

func (p *plugged) AxisReported(axis int) bool { return p.row > p.from[axis] }

// Where the wheel really stands is known once it has reported, and not before: it is no left
// lock, and the way to one is measured from there.
func TestAWheelJustPluggedInIsMeasuredFromWhereItIs(t *testing.T) {
	toTheRight := slices.Concat(sweep(60, 0, 65000, 1500), hold(150, 65000), sweep(30, 0, 33000, 65000), hold(150, 33000))
	for name, c := range map[string]struct {
		rows  [][]int32
		first int // row of the first report
	}{
		"held in the middle first": {slices.Concat(hold(300, 32768), hold(150, 32700), sweep(60, 0, 1500, 32700), hold(150, 1500), toTheRight), 300},
		"at the left lock, turned away and back": {slices.Concat(hold(20, 1500), sweep(60, 0, 32768, 1500), hold(150, 32768),
			sweep(60, 0, 1500, 32768), hold(150, 1500), toTheRight), 21},
		"at the left lock, and stays there at first": {slices.Concat(hold(20, 1500), hold(150, 1600),
			sweep(60, 0, 32768, 1600), sweep(60, 0, 1500, 32768), hold(150, 1500), toTheRight), 20},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			src := &plugged{playback: playback{axes: steering, rows: c.rows}, from: []int{c.first}, asked: &out}
			p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(""), &out, true), DefaultWheelOptions())
			if err != nil {
				t.Fatal(err)
			}
			if p.Left != 1500 || p.Right != 65000 || p.Center != 33000 {
				t.Errorf("got %d, %d, %d; want 1500, 65000, 33000\n%s", p.Left, p.Right, p.Center, &out)
			}
			if !strings.HasPrefix(out.String(), "Turn the wheel to about the middle") {
				t.Errorf("the operator was told %q", out.String())
			}
		})
	}
}

// What the kernel held before, from another program's time, is not where the wheel stands.
func TestAWheelThatDoesNotReportIsNoWheelAtItsLock(t *testing.T) {
	src := &plugged{playback: playback{axes: steering, rows: hold(4000, 0)}, from: []int{5000}, asked: new(strings.Builder)}
	_, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(""), io.Discard, true), DefaultWheelOptions())
	if err == nil || !strings.Contains(err.Error(), "ABS_X reported nothing") {
		t.Errorf("got %v", err)
	}
}

// A pedal that reports first while it is pressed is measured once more: at rest it was known
// as the kernel's 0.
func TestAPedalThatReportsFirstWhilePressedIsMeasuredAgain(t *testing.T) {
	press := slices.Concat(sweep(20, 1, 5, 0, 250), hold(10, 0, 5), sweep(20, 1, 250, 0, 5))
	src := &plugged{playback: playback{axes: []AxisRange{{"ABS_X", 0, 65535}, {"ABS_Z", 0, 255}}, rows: slices.Concat(
		hold(200, 0, 250), press, hold(60, 0, 250), // nobody pressed it when asked to
		hold(200, 0, 250), press,
	)}, from: []int{0, 200}, asked: new(strings.Builder)}
	opt := DefaultPedalsOptions()
	opt.Except, opt.Names = []string{"ABS_X"}, []string{"throttle"}
	p, err := Pedals(t.Context(), src, dialog.New(strings.NewReader(""), src.asked, true), opt)
	if err != nil {
		t.Fatal(err)
	}
	if p.Throttle.Rest != 250 || p.Throttle.Press != 5 || !strings.Contains(src.asked.String(), "ABS_Z had not reported before") {
		t.Errorf("%+v, want from 250 to 5\n%s", p.Throttle, src.asked)
	}
}
