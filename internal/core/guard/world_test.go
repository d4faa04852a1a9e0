package guard

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// world generates random inputs of a guard, and random torques and legs to limit, tick by tick.
type world struct {
	*rand.Rand
	in     Inputs
	wanted float64    // torque that the drive requests, always finite [N·m]
	torque float64    // torque that is passed to Gate, sometimes NaN or Inf [N·m]
	legs   [8]float64 // legs that are passed to Gate, sometimes NaN or Inf [fraction of the stroke]
	own    float64    // torque of the wheel's own effects [N·m]
	room   float64    // torque that is reserved for own effects [N·m]
	keep   bool       // Keep is called in this tick
	allow  bool       // Allow is called in this tick
}

func newWorld(seed uint64) *world {
	return &world{Rand: rand.New(rand.NewPCG(seed, 20)), in: well}
}

// flips lists how often each condition begins and ends [1/s].
func (w *world) flips() []flip {
	in := &w.in
	return []flip{
		{&in.Start, 5, 0.3}, {&in.Release, 0.15, 1.5}, {&in.Pause, 0.15, 2}, {&in.Stop, 0.05, 3}, {&in.Clear, 3, 20},
		{&in.WheelPresent, 4, 0.4}, {&in.PlatformReady, 4, 0.15}, {&in.PlatformHomed, 3, 0.2}, {&in.PlatformParked, 1, 1}, {&in.PlatformOff, 3, 0.5},
		{&in.DeviceFault, 0.03, 3}, {&in.StateOK, 50, 0.04}, {&in.HighTorque, 0.5, 5}, {&in.DeadMan, 5, 0.6},
		{&in.InterlockOpen, 0.05, 2}, {&in.WindowLost, 0.04, 4}, {&in.Suspended, 0.03, 500},
	}
}

type flip struct {
	at      *bool
	on, off float64 // [1/s]
}

func (w *world) tick() {
	often := func(perSecond float64) bool { return w.Float64() < perSecond*dt }
	for _, f := range w.flips() {
		rate := f.on
		if *f.at {
			rate = f.off
		}
		*f.at = *f.at != often(rate)
	}
	if w.in.Gap = 0; often(0.1) {
		w.in.Gap = [...]float64{0.01, 0.04, 0.06, 0.5, 1.5}[w.IntN(5)]
	}
	if often(2) {
		w.in.HandsOn = w.orInvalid(w.Float64() / 2)
	}
	if often(0.5) {
		w.in.Speed = w.orInvalid(60*w.Float64() - 10)
	}
	if often(5) {
		w.own, w.room = 4*w.Float64()-0.5, 6*w.Float64()-0.5
	}
	w.keep, w.allow = often(300), often(0.02)
	if w.wanted += 0.3 * (w.Float64() - 0.5); often(2) {
		w.wanted = 60 * (w.Float64() - 0.5)
	}
	w.torque = w.wanted
	for i := range w.legs {
		w.legs[i] = 1.4*w.Float64() - 0.2
	}
	if often(0.3) {
		odds := [...]*float64{&w.torque, &w.legs[w.IntN(len(w.legs))], &w.own, &w.room}
		*odds[w.IntN(len(odds))] = math.NaN()
		*odds[w.IntN(len(odds))] = math.Inf(1 - 2*w.IntN(2))
	}
}

// orInvalid returns v, or sometimes NaN or Inf.
func (w *world) orInvalid(v float64) float64 {
	return [...]float64{v, v, v, v, v, v, v, math.NaN(), math.Inf(1), math.Inf(-1)}[w.IntN(10)]
}

// ask steps a guard by a tick of the world and returns all that it answers.
func (w *world) ask(g *Guard) (a answers) {
	if w.allow {
		g.AllowHighTorque()
	}
	a.Changed = g.Step(w.in)
	if w.keep {
		g.ReserveTorque(w.room)
	}
	a.Torque, a.Legs = g.Gate(w.torque, w.legs)
	a.Own = g.GateOwnEffects(w.own)
	a.State, a.Waits, a.Last = g.State(), g.LatchedCause(), g.LastTransition()
	a.Cleared, a.Allowed, a.Alone = g.Cleared(), g.HighTorqueAllowed(), g.HandsOff()
	a.Most, a.Held, a.Motion = g.MaxTorque(), g.deadManShare, g.MotionShare()
	return a
}

// answers holds all outputs of a guard in a tick.
type answers struct {
	State                            State
	Waits                            Cause
	Last                             Transition
	Changed, Cleared, Allowed, Alone bool
	Torque, Own, Most, Held, Motion  float64
	Legs                             [8]float64
}

// worldConfigs holds a default guard, one with all options, and one with little torque and slow fades.
var worldConfigs = []Config{
	DefaultConfig(),
	{Engage: 1.5, Release: 0.1, MaxTorque: 25, DeadMan: true, HandsOff: 0.5},
	{Engage: 3, Release: 1, MaxTorque: 3, HandsOff: 2},
}

func TestRandomInputsCoverEveryField(t *testing.T) {
	const numbers = 3 // Gap, HandsOn, Speed
	if n := len(newWorld(0).flips()) + numbers; n != reflect.TypeFor[Inputs]().NumField() {
		t.Errorf("%d of the %d fields of Inputs change", n, reflect.TypeFor[Inputs]().NumField())
	}
}

// A copy of a Guard is a snapshot: with the same inputs both give the same outputs, and they share no data.
func TestAGuardIsAPlainValue(t *testing.T) {
	plain(t, reflect.TypeFor[Guard]())
	for i, cfg := range worldConfigs {
		w, g := newWorld(uint64(i)), New(cfg, dt)
		for tick := range 20_000 {
			w.tick()
			b := *g
			if tick%100 == 0 { // other inputs of the copy do not affect the original
				before, other := *g, *w
				other.Rand = rand.New(rand.NewPCG(uint64(tick), 21))
				for range 50 {
					other.tick()
					other.ask(&b)
				}
				if *g != before {
					t.Fatalf("config %d, tick %d: stepping a copy changed the original:\n%+v\n%+v", i, tick, *g, before)
				}
				b = before
			}
			was, got := w.ask(g), w.ask(&b)
			if was != got || *g != b {
				t.Fatalf("config %d, tick %d: the copy goes on otherwise:\n%+v\n%+v", i, tick, got, was)
			}
		}
	}
}

// plain fails the test if a value of the type refers to memory outside itself.
func plain(t *testing.T, typ reflect.Type) {
	t.Helper()
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			plain(t, typ.Field(i).Type)
		}
	case reflect.Array:
		plain(t, typ.Elem())
	case reflect.Bool, reflect.Uint8, reflect.Float64:
	default:
		t.Errorf("the guard holds a %s, which a copy may share: keep plain values alone", typ)
	}
}
