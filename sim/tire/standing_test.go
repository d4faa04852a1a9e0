package tire

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/test/near"
)

// standingTire is a tire on a wheel that its brake holds, in one direction.
type standingTire struct {
	name      string
	model     Model
	stiffness float64 // C/sigma at nominal load [N/m]
	sideways  bool
	load      float64 // nominal load [N]
	p         WheelParams
}

// standingTires are all kinds of tires in both directions. For those of files with a carcass stiffness C/sigma is
// that stiffness, 358066 and 102673 N/m for the reference tire of P, appendix 3.
func standingTires(t testing.TB) (all []standingTire) {
	t.Helper()
	add := func(name string, m Model, load, stiffnessX, stiffnessY float64, p WheelParams) {
		p.Damping = 0
		all = append(all,
			standingTire{name + " lengthwise", m, stiffnessX, false, load, p}, standingTire{name + " sideways", m, stiffnessY, true, load, p})
	}
	own := params()
	own.RelaxationX, own.RelaxationY = 0, 0
	for _, name := range []string{"road", "sport", "slick", "pickup"} {
		b := builtin(t, name)
		c := &b.Model.(*MagicFormula).c
		add(name, b.Model, b.NominalLoad, c.LONGITUDINALSTIFFNESS, c.LATERALSTIFFNESS, own)
	}
	add("mf61_tvd3", parsed(t, "mf61_tvd3").Model, 4000, 358066, 102673, own)
	for name, m := range map[string]Model{"brush": road205(t), "dugoff": dugoffTire(t, DefaultDugoff()), "curve": curved(t)} {
		c := m.Capacity(Contact{Load: 4000, Surface: Dry()})
		add(name, m, 4000, c.StiffnessX/params().RelaxationX, c.StiffnessY/params().RelaxationY, params())
	}
	return all
}

// standingWheel is a standing tire whose hub is moved.
type standingWheel struct {
	standingTire
	w    *Wheel
	s    WheelState
	d    WheelInput
	work float64 // done on the tire [J]
}

func (k standingTire) wheel(t testing.TB) *standingWheel {
	return &standingWheel{standingTire: k, w: wheelOf(t, k.model, k.p, dt), d: WheelInput{Load: k.load, Surface: Dry(), BrakeTorque: 1e5}}
}

// move moves the hub by a distance [m] at 20 mm/s and returns the force against it [N].
func (k *standingWheel) move(distance float64) (force float64) {
	k.d.Vx = math.Copysign(0.02, distance)
	ticks := int(math.Round(math.Abs(distance) / (0.02 * dt)))
	for range ticks {
		force = k.step()
	}
	return force
}

// step moves the hub by a tick at d.Vx, in the tire's direction, and returns the force against it [N].
func (k *standingWheel) step() (force float64) {
	d := k.d
	if k.sideways {
		d.Vx, d.Vy = 0, d.Vx
	}
	f := k.w.Step(&k.s, d)
	k.work -= dt * (f.Fx*d.Vx + f.Fy*d.Vy)
	if k.sideways {
		return -f.Fy
	}
	return -f.Fx
}

// limit returns the friction limit [N].
func (k *standingTire) limit() float64 {
	c := k.model.Capacity(Contact{Load: k.load, Surface: Dry(), Speed: minSpeed})
	if k.sideways {
		return c.ForceY
	}
	return c.ForceX
}

// The stiffness is that of the data where the tire is relaxed, and the force that sliding has built up has ended
// after a way of F/k.
func TestStandingTireHasTheStiffnessOfItsData(t *testing.T) {
	for _, k := range standingTires(t) {
		w := k.wheel(t)
		start := w.step() // of plysteer and conicity
		near.Value(t, k.name+": stiffness", (w.move(0.5e-3)-start)/0.5e-3, k.stiffness, 0.02*k.stiffness)
		slid := w.move(0.1)
		near.Value(t, k.name+": force of sliding over its limit", slid/k.limit(), 0.95, 0.07)
		want, back, half := k.limit()/k.stiffness, 0.0, 0.0
		for force := slid; force > start; back += 0.02e-3 {
			if force = w.move(-0.02e-3); force > slid/2 {
				half = back
			}
		}
		near.Value(t, k.name+": way back to no force over F/k", back/want, 1, 0.02)
		near.Value(t, k.name+": way back to half the force over F/k", half/want, 0.5, 0.12)
	}
}

// What a locked tire gives back after it has slid is the energy of a spring at the friction limit, F²/(2k): of a
// brush exactly, of others up to an eighth more, because their slip curves are fuller than the brush's.
func TestStandingTireGivesBackTheEnergyOfASpring(t *testing.T) {
	for _, k := range standingTires(t) {
		w := k.wheel(t)
		w.move(0.1)
		w.work = 0
		for w.move(-0.02e-3) > 0 {
		}
		share := -w.work / (k.limit() * k.limit() / (2 * k.stiffness))
		if _, ok := k.model.(*Brush); ok {
			near.Value(t, k.name+": energy given back over F²/(2k)", share, 1, 0.005)
		}
		near.Value(t, k.name+": energy given back over F²/(2k)", share, 1, 0.13)
	}
}

// A mass on a standing tire swings with the natural frequency √(k/m), and loses amplitude by the damping ratio
// c/(2·√(k·m)) of a spring and a damper.
func TestMassOnAStandingTireSwingsAsOnSpringAndDamper(t *testing.T) {
	const mass, amplitude, turns = 408, 0.3e-3, 10
	for _, k := range standingTires(t) {
		for _, damping := range []float64{0, DefaultDamping} {
			k.p.Damping = damping
			w := k.wheel(t)
			steady := w.step() // of plysteer and conicity
			w.move(amplitude)
			x, v, turned, time := amplitude, 0.0, 0, 0.0
			for ; turned < turns; time += dt {
				w.d.Vx = v
				before := v
				v -= dt * (w.step() - steady) / mass
				x += v * dt
				if before*v < 0 {
					turned++
				}
			}
			ratio := damping / (2 * math.Sqrt(k.stiffness*mass))
			perRatio := 1 / math.Sqrt(1-ratio*ratio)
			near.Value(t, k.name+": half periods", time*math.Sqrt(k.stiffness/mass)/perRatio/math.Pi, turns, 0.03*turns)
			near.Value(t, k.name+": logarithmic decrement", math.Log(amplitude/math.Abs(x))/(math.Pi*turns), ratio*perRatio, 0.004+0.04*ratio)
		}
	}
}

// Rolling leads to the same slip at every speed, however slowly.
func TestSlowlyRollingTireHasTheForceOfItsSlip(t *testing.T) {
	for _, m := range []Model{road205(t), dugoffTire(t, DefaultDugoff()), peaked{}} {
		for _, speed := range []float64{0.2, 1, 2.9} {
			for _, tan := range []float64{0.03, 0.1} {
				w := wheelOf(t, m, params(), dt)
				s := WheelState{Spin: speed / 0.3}
				f := steps(w, &s, int(6/speed/dt), WheelInput{Vx: speed, Vy: speed * tan, Load: 4000, Surface: Dry()})
				want := m.Forces(Contact{Kappa: s.Spin*0.3/speed - 1, TanAlpha: tan, Load: 4000, Surface: Dry(), Speed: speed})
				near.Value(t, fmt.Sprintf("%T at %g m/s, tan %g", m, speed, tan), f.Fy/want.Fy, 1, 1e-3)
			}
		}
	}
}

// A load that comes onto a deflected tire, as when a car that has stopped rocks, hardly adds to its force: the
// stiffness of a carcass depends little on the load. Otherwise rocking would feed itself.
func TestLoadOnAStandingTireHardlyAddsForce(t *testing.T) {
	k := standingTires(t)[0]
	w := k.wheel(t)
	w.d.Load = 0.5 * k.load
	before := w.move(0.8 * 0.5 * k.limit() / k.stiffness)
	w.d.Vx = 0
	for range 100 {
		w.d.Load += 0.01 * k.load
		w.step()
	}
	near.Value(t, "force at three times the load", w.step()/before, 1.1, 0.1)
}

// Whatever hub, brake and engine do at walking speed, wheels that stop and start to roll give back no more than
// they took.
func TestStoppingAndStartingCreatesNoEnergy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range []Model{road205(t), dugoffTire(t, DefaultDugoff()), peaked{}} {
		for range 20 {
			w := wheelOf(t, m, params(), dt)
			var s WheelState
			d := WheelInput{Load: 4000, Surface: Dry()}
			phase, rate := 2*math.Pi*rng.Float64(), 2+40*rng.Float64()
			work, least := 0.0, 0.0
			for i := range 4000 {
				if i%50 == 0 {
					d.BrakeTorque, d.Torque = 3000*float64(rng.IntN(2)), 800*(2*rng.Float64()-1)
				}
				turn := rate*float64(i)*dt + phase
				d.Vx, d.Vy = 0.01*rate*math.Cos(turn), 0.006*rate*math.Sin(1.7*turn)
				f := w.Step(&s, d)
				work -= dt * (f.Fx*(d.Vx-s.Spin*0.3) + f.Fy*d.Vy)
				least = min(least, work)
			}
			if least < -2 {
				t.Errorf("%T, %.1f rad/s: %.2f J from nothing", m, rate, -least)
			}
		}
	}
}

// A locked tire that has come to rest while its hub drifts sideways keeps the direction of its force.
func TestStoppingTireDoesNotTurnItsForce(t *testing.T) {
	k := standingTires(t)[0]
	w := k.wheel(t)
	w.move(0.05)
	for i := range 100 {
		d := w.d
		d.Vx, d.Vy = 0.02*(1-float64(i)/100), 0.004
		f := w.w.Step(&w.s, d)
		near.Value(t, "force aside over the force ahead", f.Fy/f.Fx, w.s.DeflY*102/(w.s.DeflX*380), 0.1)
	}
}

// In steady state all of force times sliding speed is lost, also in the part of the slip that rolls out of the
// contact.
func TestSlowlyRollingTireLosesForceTimesSlip(t *testing.T) {
	for _, speed := range []float64{0.5, 2} {
		for _, tan := range []float64{0.05, 0.5} { // sticking, sliding
			w := newWheel(t)
			s := WheelState{Spin: speed / 0.3}
			d := WheelInput{Vx: speed, Vy: speed * tan, Load: 4000, Surface: Dry()}
			steps(w, &s, 10_000, d)
			before := s.SlipEnergy
			f := steps(w, &s, 1000, d)
			want := -f.Fx*(d.Vx-s.Spin*0.3) - f.Fy*d.Vy
			near.Value(t, fmt.Sprintf("power over force times sliding speed at %g m/s, tan %g", speed, tan), (s.SlipEnergy-before)/want, 1, 0.01)
		}
	}
}

// A wheel that spins at walking pace, held in its spin by a stiff shaft, pulls one way: its force never turns against
// the torque that spins it, and what it does to hub and wheel together is a loss.
func TestAWheelThatSpinsAtWalkingPacePullsOneWay(t *testing.T) {
	p := DefaultCurve()
	p.Forward.Stiffness = 1.86
	m, err := NewCurve(p, 0.45)
	if err != nil {
		t.Fatal(err)
	}
	w := wheelOf(t, m, WheelParams{Radius: 0.45, Inertia: 0.9, RelaxationX: 0.26, RelaxationY: 0.14, Damping: 4250}, dt)
	for _, speed := range []float64{-0.3, -0.8, -1.4} {
		for _, slipping := range []float64{0.3, 0.6, 1, 1.5} { // speed of the tread against the ground [m/s]
			var s WheelState
			spin, twist := (speed-slipping)/0.45, 0.0
			s.Spin = spin
			var worked float64 // on hub and wheel [J]
			for tick := range 3000 {
				twist += dt * (spin - s.Spin)
				before := s.Spin
				f := w.Step(&s, WheelInput{Vx: speed, Vy: -0.1, Load: 800, Surface: Dry(), Torque: 9000*twist + 34*(spin-s.Spin)})
				if tick < 1000 {
					continue
				}
				worked += dt * f.Fx * (speed - 0.45*(before+s.Spin)/2)
				if f.Fx > 0 {
					t.Fatalf("at %g m/s, %g m/s against the ground: %.0f N in tick %d", speed, slipping, f.Fx, tick)
				}
			}
			if worked > 0 {
				t.Errorf("at %g m/s, %g m/s against the ground: %.1f J from nothing", speed, slipping, worked)
			}
		}
	}
}
