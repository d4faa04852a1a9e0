package motion

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/test/level"
)

// auditStrides are over how many periods the differences are taken. A target
// is a whole number, wrong by up to half of one: from one to the next that is
// more than any limit of jerk. Over n periods it is less by n³, and the third
// difference is a mean of the jerk, which keeps the same limit.
var auditStrides = [...]int{1, 2, 4, 8, 16, 32, 64}

// audit holds every target that left to the limits of its axis, as its bytes
// tell them. A run of targets without a gap is one drive; before it the axis
// rests where the first target is.
type audit struct {
	t      *testing.T
	cfg    Config
	axes   int
	step   float64                             // of the number in a frame, share of the stroke
	decode func([]byte) ([wire.Axes]int, bool) // the newest target in what was said

	run       [wire.Axes][]float64 // newest targets of the drive
	targets   int
	drives    int
	states    [Waiting + 1]int
	beyond    int
	low, high float64
	most      [len(auditStrides)][3]float64 // speed, acceleration, jerk, as shares of what is allowed
}

func newAudit(t *testing.T, cfg Config, axes int, step float64, decode func([]byte) ([wire.Axes]int, bool)) *audit {
	return &audit{t: t, cfg: cfg, axes: axes, step: step, decode: decode, low: 1}
}

// look takes what was said in one period, and where the actuators stand.
func (a *audit) look(said []byte, at []float64, locates bool) {
	n, ok := a.decode(said)
	if !ok {
		for i := range a.run {
			a.run[i] = a.run[i][:0]
		}
		return
	}
	a.targets++
	for i := range a.axes {
		share := float64(n[i]) * a.step
		if len(a.run[i]) == 0 {
			a.begin(i, share, at[i], locates)
		}
		a.run[i] = append(a.run[i], share)
		a.check(i)
		if most := auditStrides[len(auditStrides)-1]; len(a.run[i]) > 8*most {
			a.run[i] = append(a.run[i][:0], a.run[i][len(a.run[i])-4*most:]...)
		}
	}
}

// begin notes the first target of a drive: where the platform stands, if it can
// tell.
func (a *audit) begin(axis int, share, at float64, locates bool) {
	if axis == 0 {
		a.drives++
	}
	if locates && math.Abs(share-at) > 0.03 { // moving towards its center as it was asked, and 0.004 of rounding
		a.t.Errorf("drive %d: axis %d stands at %.4f and is first sent to %.4f", a.drives, axis, at, share)
	}
	for range 3*auditStrides[len(auditStrides)-1] + 1 {
		a.run[axis] = append(a.run[axis], share)
	}
}

func (a *audit) check(axis int) {
	r := a.run[axis]
	last := len(r) - 1
	a.low, a.high = min(a.low, r[last]), max(a.high, r[last])
	// what was found outside comes in
	if r[last] < min(a.cfg.MinPosition[axis], r[last-1])-a.step/2 || r[last] > max(a.cfg.MaxPosition[axis], r[last-1])+a.step/2 {
		a.beyond++
	}
	for k, n := range auditStrides {
		span := float64(n) * a.cfg.period().Seconds()
		speed := (r[last] - r[last-n]) / span
		accel := (r[last] - 2*r[last-n] + r[last-2*n]) / (span * span)
		jerk := (r[last] - 3*r[last-n] + 3*r[last-2*n] - r[last-3*n]) / (span * span * span)
		// half a number wrong at each place
		a.note(k, 0, speed, a.cfg.MaxSpeed[axis]+a.step/span)
		a.note(k, 1, accel, a.cfg.MaxAccel[axis]+2*a.step/(span*span))
		a.note(k, 2, jerk, a.cfg.MaxJerk[axis]+4*a.step/(span*span*span))
	}
}

func (a *audit) note(stride, order int, got, allowed float64) {
	share := math.Abs(got) / allowed
	a.most[stride][order] = max(a.most[stride][order], share)
}

// verdict tells what was found, and fails the test if a limit was left.
func (a *audit) verdict() {
	a.t.Helper()
	a.t.Logf("%d targets in %d drives, positions %.4f..%.4f, states %v", a.targets, a.drives, a.low, a.high, a.states)
	names := [...]string{"speed", "acceleration", "jerk"}
	limit := [...]float64{a.cfg.MaxSpeed[0], a.cfg.MaxAccel[0], a.cfg.MaxJerk[0]}
	for k, n := range auditStrides {
		span := float64(n) * a.cfg.period().Seconds()
		doubt := [...]float64{a.step / span, 2 * a.step / (span * span), 4 * a.step / (span * span * span)}
		a.t.Logf("over %3.0f ms: of what is allowed speed %.4f, acceleration %.4f, jerk %.4f; rounding allows %.3g, %.3g, %.3g more",
			span*1e3, a.most[k][0], a.most[k][1], a.most[k][2], doubt[0], doubt[1], doubt[2])
		for order, share := range a.most[k] {
			if share > 1+1e-9 {
				a.t.Errorf("over %.0f ms: %s %.4f of the limit %g", span*1e3, names[order], share, limit[order])
			}
		}
	}
	if a.beyond > 0 {
		a.t.Errorf("%d targets out of the range", a.beyond)
	}
}

// A target of SMC3 is "[A" and two bytes and "]" for each motor.
func decodeSMC3(said []byte) (n [wire.Axes]int, ok bool) {
	for ; len(said) >= 5; said = said[5:] {
		if said[0] == '[' && said[1] >= 'A' && said[1] <= 'C' && said[4] == ']' {
			n[said[1]-'A'], ok = int(said[2])<<8|int(said[3]), true
		}
	}
	return n, ok
}

// A target of Thanos is FF FF, eight times two bytes, 0A 0D.
func decodeThanos(said []byte) (n [wire.Axes]int, ok bool) {
	if len(said) != 20 || said[0] != 0xff || said[1] != 0xff {
		return n, false
	}
	for i := range n {
		n[i] = int(said[2+2*i])<<8 | int(said[3+2*i])
	}
	return n, true
}

// wild does to a platform whatever can happen to one.
type wild struct {
	rng    *rand.Rand
	v      *virtual
	mode   int
	base   wire.Legs
	phase  float64
	seized int // periods that the controller is still deaf
}

func (w *wild) step() {
	w.events()
	switch w.mode {
	case 0: // jumps
		if w.rng.IntN(50) == 0 {
			w.scatter()
		}
		w.v.push(w.base)
	case 1: // a drive
		w.phase += w.v.cfg.period().Seconds() * (1 + 10*w.rng.Float64())
		l := w.base
		for i := range l {
			l[i] += 0.3 * math.Sin(w.phase*(1+0.2*float64(i)))
		}
		w.v.push(l)
	case 2: // noise
		w.scatter()
		w.v.push(w.base)
	case 3: // steps too small for the spike filter
		for i := range w.base {
			w.base[i] = min(max(w.base[i]+0.4*(w.rng.Float64()-0.5), -0.2), 1.2)
		}
		w.v.push(w.base)
	case 4: // gaps
		if w.rng.IntN(30) == 0 {
			w.v.push(w.base)
		}
	case 5: // old ones
		w.v.push(w.base)
		var old target
		w.v.p.targets.cell.Get(&old)
		old.pushedAt -= time.Duration(w.rng.IntN(100)) * time.Millisecond
		w.v.p.targets.cell.Put(&old)
	default: // huge ones
		w.v.push(wire.AllAt(math.Copysign(1e300, w.rng.Float64()-0.5)))
	}
	w.v.step()
}

func (w *wild) scatter() {
	for i := range w.base {
		w.base[i] = 1.4*w.rng.Float64() - 0.2
	}
}

// events happen now and then; what keeps a platform from moving is ended soon.
func (w *wild) events() {
	v := w.v
	rare := func(seconds float64) bool { return w.rng.Float64() < v.cfg.period().Seconds()/seconds }
	if rare(2) {
		w.mode = []int{0, 1, 1, 1, 2, 3, 3, 4, 5, 6}[w.rng.IntN(10)]
	}
	if rare(20) {
		w.v.push(wire.Legs{math.NaN()})
	}
	if rare(15) {
		v.requests.halt = true
	}
	if rare(15) {
		v.requests.park = true
	}
	if rare(20) {
		v.requests.interlock = true
	}
	if rare(3) {
		v.requests.halt, v.requests.park, v.requests.interlock = false, false, false
		v.requests.homeOrders++
	}
	if rare(40) {
		v.sim.Reset()
	}
	if rare(15) {
		v.sim.SetNoise(w.rng.IntN(2) == 0)
	}
	w.faults(rare)
	if w.seized--; w.seized <= 0 {
		v.deaf = false
	}
	if rare(30) {
		v.deaf, w.seized = true, w.rng.IntN(1500)
	}
}

func (w *wild) faults(rare func(float64) bool) {
	told := wire.Answer{Kind: wire.AnswerStatus, Axis: w.rng.IntN(3), Temperature: math.NaN()}
	if rare(5) {
		for told.Axis = -1; told.Axis < wire.Axes; told.Axis++ {
			w.v.board.store(told, w.v.now)
		}
	}
	if rare(15) {
		told.Axis, told.Fault = w.rng.IntN(3), wire.Faults(1)<<w.rng.IntN(6)
		w.v.board.store(told, w.v.now)
	}
	if rare(60) {
		told.Kind, told.Fault = wire.AnswerFault, wire.FaultDrive
		w.v.board.store(told, w.v.now)
	}
}

// Everything that leaves in wild minutes is within the limits of each axis:
// targets of all kinds, gaps, halts, parking, faults, restarts and silence of
// the controller, an open belt, lines that were given up and opened again.
func TestWildMinutesStayWithinTheLimits(t *testing.T) {
	minutes := level.Pick(3, 3, 10)
	tests := []struct {
		name   string
		make   func(*testing.T) *virtual
		axes   int
		step   float64 // 1/1023 of the stroke, 1/65534 of the stroke
		decode func([]byte) ([wire.Axes]int, bool)
	}{
		{"smc3, 10 bits", virtualSMC3, 3, 1.0 / 1023, decodeSMC3},
		{"thanos, 16 bits", virtualThanos, 4, 1.0 / 65534, decodeThanos},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := tt.make(t)
			w := wild{rng: rand.New(rand.NewPCG(10, 0)), v: v, base: wire.AllAt(0.5)}
			a := newAudit(t, v.cfg, tt.axes, tt.step, tt.decode)
			for v.now < time.Duration(minutes)*time.Minute {
				w.step()
				a.look(v.said, v.sim.Positions(), v.codec.ReportsPosition())
				a.states[v.machine.state()]++
			}
			a.verdict()
			t.Logf("%d restarts noticed, %d lines given up, %d targets held", v.board.restarts.Load(), len(v.errs), v.trajectory.targetJumps)
			for _, s := range []State{Opening, Homing, Ready, Active, Parking, Parked, Fault, Halted} {
				if a.states[s] < 100 {
					t.Errorf("%s for %d periods: the drive was not wild enough", s, a.states[s])
				}
			}
		})
	}
}
