package testrun_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

// unbarred are the settings of a car without anti-roll bars.
func unbarred() []string { return []string{"front.bar.mode=none", "rear.bar.mode=none"} }

func TestBarsKeepThePickupOnItsWheelsInTheMooseTest(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	o := maneuver.Options{Speed: 80 / 3.6, Dt: coarse()}
	with := figures(t, "moose", loaded(t, "pickup"), o)
	without := figures(t, "moose", loaded(t, "pickup", unbarred()...), o)
	t.Logf("at 80 km/h with bars %.1f° of roll, without %.1f°", with["max_roll_deg"], without["max_roll_deg"])
	if with["rolled_over"] != 0 || with["max_roll_deg"] > 12 || with["two_wheel_lift"] != 0 {
		t.Errorf("with bars: %v", with)
	}
	if without["rolled_over"] != 1 {
		t.Errorf("without bars: %v", without)
	}
}

func TestLoweringTheCentreOfMassStopsTheRollOver(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	set := append(unbarred(), "com_offset_m=[0,0,-0.4]")
	r := figures(t, "moose", loaded(t, "pickup", set...), maneuver.Options{Speed: 80 / 3.6, Dt: coarse()})
	if r["rolled_over"] != 0 || r["two_wheel_lift"] != 0 {
		t.Errorf("without bars, 0.4 m lower: %v", r)
	}
}

// ledge is a level road that ends at x = 0, 2 m above the next one.
type ledge struct{}

func (ledge) Touch(p r3.Vec) road.Contact {
	height := 0.0
	if p.X > 0 {
		height = -2
	}
	return flatAt(p, height, 1)
}

// jumped is what a jump off the ledge came to.
type jumped struct {
	pitch []float64 // at each tick from the ledge on, nose down [rad]
	apart float64   // of the true centre of mass from the parabola it flies on [m]
}

// jump drives the ray-cast car off the ledge at 12 m/s and brakes from there on, with its
// centre of mass moved up by so much [m].
func jump(t *testing.T, up float64) (j jumped) {
	c := built(t, ledge{}, "raycast", fmt.Sprintf("com_offset_m=[0,0,%g]", up), "drag_area_m2=0")
	s := c.Rest(r3.Vec{X: -15}, 0)
	s.Vel.X = 12
	middle := func() r3.Vec { return r3.Add(s.Pos, r3.Rotation(s.Att).Rotate(r3.Vec{Z: -up})) }
	var from, speed r3.Vec
	aloft, landed := 0, false
	for range 4000 {
		before, in := middle(), sim.Input{}
		if s.Pos.X > 0 {
			in.Brake = 0.5
			j.pitch = append(j.pitch, s.Pitch())
		}
		c.Step(&s, in)
		switch {
		case landed || s.Pos.X < 0:
		case sum(&s) > 0:
			landed = aloft > 0
		case aloft == 0:
			from, speed, aloft = middle(), r3.Scale(1/sim.Dt, r3.Sub(middle(), before)), 1
		default:
			at := float64(aloft) * sim.Dt
			fly := r3.Vec{X: from.X + speed.X*at, Z: from.Z + speed.Z*at - 9.80665/2*at*at}
			j.apart = max(j.apart, r3.Norm(r3.Sub(middle(), fly)))
			aloft++
		}
	}
	if aloft < 300 || !landed {
		t.Fatalf("the car was in the air for %d ms", aloft)
	}
	return j
}

func TestALoweredCentreOfMassPitchesJumpsWrongly(t *testing.T) {
	right, low := jump(t, 0), jump(t, -0.5)
	differ := 0.0
	for i := range min(len(right.pitch), len(low.pitch)) {
		differ = max(differ, math.Abs(right.pitch[i]-low.pitch[i]))
	}
	t.Logf("true centres leave their parabolas by %.1f mm, and by %.1f mm with the mass 0.5 m lower; pitch differs by up to %.1f°",
		1e3*right.apart, 1e3*low.apart, differ/degree)
	if right.apart > 0.01 {
		t.Errorf("a real centre of mass leaves its parabola by %.3f m", right.apart)
	}
	if low.apart < 0.03 {
		t.Errorf("the car 0.5 m too low turns about its true centre: %.3f m off the parabola", low.apart)
	}
	if differ < 3*degree {
		t.Errorf("pitch differs by %.2f° at most", differ/degree)
	}
}

// The hatch's tires gain less stiffness than load: the axle with the stiffer bar, whose
// outer tire carries more, needs more slip angle.
func TestAStifferFrontBarUndersteersMoreAndAStifferRearBarLess(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	gradient := func(key string, rate float64) map[string]float64 {
		return figures(t, "steady-circle", loaded(t, "hatch", fmt.Sprintf("%s=%g", key, rate)), maneuver.Options{})
	}
	const front, rear = "front.anti_roll_rate_n_per_m", "rear.anti_roll_rate_n_per_m"
	const name = "understeer_gradient_deg_per_g"
	soft, stiff := gradient(front, 1e3), gradient(front, 40e3)
	softRear, stiffRear := gradient(rear, 0), gradient(rear, 30e3)
	t.Logf("front 1 and 40 kN/m: %.3f and %.3f °/g, up to %.3f and %.3f g; rear 0 and 30 kN/m: %.3f and %.3f °/g",
		soft[name], stiff[name], soft["max_ay_g"], stiff["max_ay_g"], softRear[name], stiffRear[name])
	if stiff[name] < soft[name]+0.03 || stiff["max_ay_g"] > soft["max_ay_g"]-0.005 {
		t.Error("a stiffer front bar does not understeer more")
	}
	if stiffRear[name] > softRear[name]-0.1 {
		t.Error("a stiffer rear bar does not understeer less")
	}
}

func TestAFrontBarKeepsTheInnerRearWheelDown(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	const stiff = "rear.anti_roll_rate_n_per_m=30e3"
	bare := figures(t, "steady-circle", loaded(t, "hatch", "front.bar.mode=none", stiff), maneuver.Options{})
	barred := figures(t, "steady-circle", loaded(t, "hatch", "front.anti_roll_rate_n_per_m=30e3", stiff), maneuver.Options{})
	at, bareLifts := bare["inner_wheel_lift_g"]
	_, barredLifts := barred["inner_wheel_lift_g"]
	t.Logf("without a front bar the inner rear wheel lifts at %.2f g of %.2f g", at, bare["max_ay_g"])
	if !bareLifts || at > 0.8 {
		t.Errorf("without a front bar the inner rear wheel lifts: %t, at %.2f g", bareLifts, at)
	}
	if barredLifts {
		t.Errorf("with a front bar an inner wheel lifts at %.2f g", barred["inner_wheel_lift_g"])
	}
}

// In a bend the outer tire carries the bar's force if it goes through the spring, and is
// rid of it if it lifts the body beside the spring; the inner one the other way round.
func TestABarOnTheBodyTakesLoadAndGripFromTheOuterTire(t *testing.T) {
	outer := func(apply string) (load, grip, ay float64) {
		c := built(t, road.Asphalt(), "hatch", "front.bar.mode=force", "rear.bar.mode=force",
			"front.bar.apply="+apply, "rear.bar.apply="+apply)
		s := inTurn(c, 20, 4)
		w := &s.Wheels[tire.FR]
		return w.Load, w.Fy / (w.Fy + s.Wheels[tire.FL].Fy), s.Acc.Y
	}
	load, grip, ay := outer("spring")
	loadBody, gripBody, ayBody := outer("body")
	t.Logf("on the spring %.0f N and %.1f %% of the axle's side force at %.2f m/s², on the body %.0f N and %.1f %% at %.2f m/s²",
		load, 100*grip, ay, loadBody, 100*gripBody, ayBody)
	if loadBody > load-250 || gripBody > grip-0.02 {
		t.Error("on the body the bar does not take load and grip from the outer front tire")
	}
}

// pothole is a level road that gives way behind and to the right of the origin.
type pothole struct{}

func (pothole) Touch(p r3.Vec) road.Contact {
	if p.X < 0 && p.Y < 0 {
		return flatAt(p, -0.4, 1)
	}
	return flatAt(p, 0, 1)
}

// The car stands on three wheels, one in the air beside a hole. On the springs bars leave the
// ground to carry the weight; on the body they carry a part of it by themselves.
func TestABarOnTheBodyLiftsTheWheelBesideOneThatHangs(t *testing.T) {
	stand := func(set ...string) (beside, all, weight float64) {
		c := built(t, pothole{}, "hatch", set...)
		s := c.Rest(r3.Vec{}, 0)
		steps(c, &s, 10_000, func(*sim.State) sim.Input { return sim.Input{Brake: 1} })
		if s.Wheels[tire.RR].Load != 0 || s.Roll() > 15*degree {
			t.Fatalf("%v: load %.0f N, roll %.1f°: the wheel does not hang", set, s.Wheels[tire.RR].Load, s.Roll()/degree)
		}
		return s.Wheels[tire.RL].Load, sum(&s), c.Params().Mass * c.Params().Gravity
	}
	force := []string{"front.bar.mode=force", "rear.bar.mode=force"}
	beside, all, weight := stand(force...)
	besideBody, allBody, _ := stand(append(force, "front.bar.apply=body", "rear.bar.apply=body")...)
	t.Logf("on the spring %.0f N, in all %.0f of %.0f N; on the body %.0f N, in all %.0f N", beside, all, weight, besideBody, allBody)
	if math.Abs(all-weight) > 0.005*weight {
		t.Errorf("bars on the springs: the wheels carry %.0f N of %.0f N", all, weight)
	}
	if allBody > weight-500 || besideBody > beside-500 {
		t.Errorf("bars on the body: the wheels carry %.0f N of %.0f N, the one beside the hole %.0f N", allBody, weight, besideBody)
	}
}

// The bar's stiffness grows from 40 to 60 km/h: the roll gradient is that without a bar
// below, and that with the whole bar above.
func TestAnAutomaticBarFollowsTheSpeed(t *testing.T) {
	level.NotQuick(t)
	t.Parallel()
	auto := []string{"front.bar.auto=true", "front.bar.auto_from_kph=40", "front.bar.auto_full_kph=60", "front.bar.auto_least=0"}
	roll := func(kph float64, set ...string) float64 {
		return figures(t, "steady-circle", loaded(t, "hatch", set...), maneuver.Options{Speed: kph / 3.6})["roll_gradient_deg_per_g"]
	}
	none, full := roll(35, "front.bar.mode=none"), roll(70)
	slow, fast := roll(35, auto...), roll(70, auto...)
	t.Logf("without %.3f °/g, at 35 km/h %.3f °/g; with all of it %.3f °/g, at 70 km/h %.3f °/g", none, slow, full, fast)
	if math.Abs(slow-none) > 0.005*none || math.Abs(fast-full) > 0.005*full || full > none-0.5 {
		t.Errorf("roll gradients %.3f and %.3f °/g, want %.3f and %.3f °/g", slow, fast, none, full)
	}
}

// A car whose left mirrors its right, left alone, does not know which way to leave its line.
func TestAStraightLineStaysStraightBitForBit(t *testing.T) {
	for _, k := range classes() {
		c := built(t, road.Asphalt(), k.car)
		s := c.Rest(r3.Vec{}, 0)
		steps(c, &s, 12_000, func(s *sim.State) sim.Input {
			if s.Tick > 8000 {
				return sim.Input{Brake: 1, Handbrake: 1, Gear: 1, Assists: assist.Switches{Clutch: true, Shifting: true}}
			}
			return sim.Input{Throttle: 1, Gear: 1, Assists: assist.Switches{Clutch: true, Shifting: true}}
		})
		if s.Pos.X < 50 || s.Pos.Y != 0 || s.Vel.Y != 0 || s.Rate.Z != 0 || s.Roll() != 0 {
			t.Errorf("%s: after %.0f m %g m aside, yaw rate %g rad/s, roll %g rad", k.car, s.Pos.X, s.Pos.Y, s.Rate.Z, s.Roll())
		}
	}
}

// frictionless are the wheel colliders' friction curves with a stiffness of 0.
func frictionless() (set []string) {
	for _, axle := range []string{"front", "rear"} {
		for _, way := range []string{"forward", "sideways"} {
			set = append(set, fmt.Sprintf("%s.tire.curve.%s.stiffness=0", axle, way))
		}
	}
	return set
}

func TestACurveOfZeroStiffnessHasNoFriction(t *testing.T) {
	c := built(t, road.Asphalt(), "wheelcollider", append(frictionless(), "drag_area_m2=0", "fuel.idle_l_per_h=0")...)
	s := rolled(c, 20)
	was := s.Vel
	steps(c, &s, 3000, func(*sim.State) sim.Input { return sim.Input{Steer: 3, Brake: 1} })
	if r3.Norm(r3.Sub(s.Vel, was)) > 5e-6 || math.Abs(s.Rate.Z) > 1e-3 { // steered wheels that stop turn the car a little
		t.Errorf("steered and braked without friction, the car goes from %v to %v m/s, yaw rate %g rad/s", was, s.Vel, s.Rate.Z)
	}
}

// oil is a level road whose grip ends 20 m ahead.
type oil struct{}

func (oil) Touch(p r3.Vec) road.Contact {
	grip := 1.0
	if p.X > 20 {
		grip = 0
	}
	return flatAt(p, 0, grip)
}

func TestFrictionChangesAtRunTimeWithTheSurface(t *testing.T) {
	for _, name := range []string{"wheelcollider", "raycast", "hatch"} {
		c := built(t, oil{}, name, "drag_area_m2=0")
		s := c.Rest(r3.Vec{}, 0)
		s.Vel.X = 25
		brake := func(*sim.State) sim.Input { return sim.Input{Brake: 1} }
		for s.Pos.X < 25 {
			steps(c, &s, 1, brake)
		}
		on := s.Vel.X
		steps(c, &s, 2000, brake)
		if on > 24 || math.Abs(s.Vel.X-on) > 1e-3 {
			t.Errorf("%s: the brake leaves %.2f m/s on the road, and of that %.3f m/s on oil", name, on, s.Vel.X)
		}
	}
}

// A locked wheel spends its friction on the way ahead, and has none left to stay on the bend.
func TestTheHandBrakeSlidesTheRearInABend(t *testing.T) {
	for _, name := range []string{"raycast", "coupe"} {
		c := built(t, road.Asphalt(), name)
		s := inTurn(c, 20, 5)
		angle, held, locked := s.Steer, s.Wheels[tire.RL].Fy+s.Wheels[tire.RR].Fy, false
		before := math.Abs(sideslip(&s))
		side := held
		steps(c, &s, 800, func(s *sim.State) sim.Input {
			left, right := &s.Wheels[tire.RL], &s.Wheels[tire.RR]
			if left.Roll.Spin == 0 && right.Roll.Spin == 0 {
				locked, side = true, min(side, left.Fy+right.Fy)
			}
			return sim.Input{Steer: angle, Handbrake: 1}
		})
		after := math.Abs(sideslip(&s))
		t.Logf("%s: sideslip from %.1f° to %.1f°, the rear axle's side force from %.0f to %.0f N", name, before/degree, after/degree, held, side)
		if !locked || side > 0.4*held {
			t.Errorf("%s: the rear wheels lock: %t; they hold %.0f N of %.0f N", name, locked, side, held)
		}
		if before > 3*degree || after < 15*degree || s.Wheels[tire.FL].Roll.Spin < 5 {
			t.Errorf("%s: sideslip goes from %.1f° to %.1f°", name, before/degree, after/degree)
		}
	}
}

func TestACoulombTiresForceIsClampedAsAVector(t *testing.T) {
	const friction = 1.1
	c := built(t, road.Asphalt(), "raycast")
	s := rolled(c, 20)
	saturated := 0
	steps(c, &s, 4000, func(s *sim.State) sim.Input {
		for i := range s.Wheels {
			w := &s.Wheels[i]
			used := math.Hypot(w.Fx, w.Fy)
			if used > friction*w.Load*(1+1e-9) {
				t.Fatalf("wheel %d: %.3f N under %.3f N", i, used, w.Load)
			}
			if used > 0.999*friction*w.Load && math.Abs(w.Fx) > 500 && math.Abs(w.Fy) > 500 {
				saturated++
			}
		}
		return sim.Input{Steer: 2 * math.Sin(3e-3*float64(s.Tick)), Throttle: 1, Gear: 1, Handbrake: float64(s.Tick / 500 % 2)}
	})
	if saturated < 100 {
		t.Errorf("both directions met the limit at %d wheels and ticks only", saturated)
	}
}

// Wheels locked at once take all of the motion's energy but what the air takes.
func TestSkidEnergyIsTheEnergyOfMotion(t *testing.T) {
	c := built(t, road.Asphalt(), "raycast", "brakes.torque_nm=50e3", "drag_area_m2=0")
	s := rolled(c, 20)
	skid := func() (j float64) {
		for i := range s.Wheels {
			j += s.Wheels[i].Roll.Skid
		}
		return j
	}
	moving, before := c.Params().Mass*s.Speed*s.Speed/2, skid()
	steps(c, &s, 6000, func(*sim.State) sim.Input { return sim.Input{Brake: 1} })
	if taken := skid() - before; r3.Norm(s.Vel) > 1e-3 || math.Abs(taken-moving) > 0.03*moving {
		t.Errorf("skidding took %.0f J of %.0f J", taken, moving)
	}
}

// Dropped from 2 m, springs without stops of their own meet the metal and go no further; no
// rim sinks into the ground.
func TestTheSuspensionStopsHardAtFullBump(t *testing.T) {
	p := loaded(t, "raycast")
	r := figures(t, "drop", p, maneuver.Options{})
	if p.Front.StopRate != 0 || r["max_travel_front_m"] > p.Front.Travel || r["min_clearance_m"] < 0 {
		t.Errorf("of %g m: %v", p.Front.Travel, r)
	}
	soft := figures(t, "drop", loaded(t, "raycast", "front.spring_rate_n_per_m=16e3", "rear.spring_rate_n_per_m=16e3"), maneuver.Options{})
	if math.Abs(soft["max_travel_front_m"]-p.Front.Travel) > 1e-9 || soft["min_clearance_m"] < 0 {
		t.Errorf("with springs half as stiff, of %g m: %v", p.Front.Travel, soft)
	}
}

func TestTheRayCastCarsDampersAreStifferOnTheWayIn(t *testing.T) {
	p := loaded(t, "raycast")
	if p.Front.Bump <= p.Front.Rebound || p.Rear.Bump <= p.Rear.Rebound {
		t.Errorf("bump %g, rebound %g N·s/m", p.Front.Bump, p.Front.Rebound)
	}
	other := loaded(t, "raycast",
		fmt.Sprintf("front.damper_bump_ns_per_m=%g", p.Front.Rebound), fmt.Sprintf("front.damper_rebound_ns_per_m=%g", p.Front.Bump),
		fmt.Sprintf("rear.damper_bump_ns_per_m=%g", p.Rear.Rebound), fmt.Sprintf("rear.damper_rebound_ns_per_m=%g", p.Rear.Bump))
	in, out := figures(t, "drop", p, maneuver.Options{}), figures(t, "drop", other, maneuver.Options{})
	if in["max_travel_front_m"] > out["max_travel_front_m"]-0.01 {
		t.Errorf("the stiffer way in is compressed by %.3f m, the other way round by %.3f m", in["max_travel_front_m"], out["max_travel_front_m"])
	}
}

// Wheels that stop what slides never turn back. On carcasses the car swings back when it
// stands, as they let go of what the sliding stretched them by.
func TestTheBrakeNeverReversesTheMotion(t *testing.T) {
	for _, k := range classes() {
		c := built(t, road.Asphalt(), k.car)
		s := rolled(c, 8)
		furthest, back, turned := 0.0, 0.0, 0.0
		steps(c, &s, 6000, func(s *sim.State) sim.Input {
			furthest = max(furthest, s.Pos.X)
			back = max(back, furthest-s.Pos.X)
			for i := range s.Wheels {
				turned = min(turned, s.Wheels[i].Roll.Spin)
			}
			return sim.Input{Brake: 1}
		})
		t.Logf("%s: swings back by %.1f mm, wheels turn at %.2f rad/s or more", k.car, 1e3*back, turned)
		if k.car == "raycast" && (turned < 0 || back > 0.002) || back > 0.16 || math.Abs(s.Speed) > 0.001 {
			t.Errorf("%s: %.3f m backwards, wheels at %.3f rad/s, %.4f m/s in the end", k.car, back, turned, s.Speed)
		}
	}
}

// Downforce grows with the square of the speed and compresses the springs, but not to their
// bump stops: a wing may not take the suspension's travel away.
func TestDownforceCompressesSpringsButNeverToTheirStops(t *testing.T) {
	for _, name := range []string{"gt", "formula"} {
		c := built(t, road.Asphalt(), name)
		p := c.Params()
		at := func(speed float64) (front, rear, load float64) {
			s := rolled(c, speed)
			steps(c, &s, 5000, func(s *sim.State) sim.Input { return sim.Input{Push: 10 * kept(c, s, speed)} })
			return s.Bars[0].CompressionLeft, s.Bars[1].CompressionLeft, sum(&s)
		}
		slowF, slowR, slow := at(20)
		fastF, fastR, fast := at(85)
		t.Logf("%s: at 72 km/h %.0f and %.0f mm and %.0f N, at 306 km/h %.0f of %.0f mm, %.0f of %.0f mm and %.0f N", name,
			1e3*slowF, 1e3*slowR, slow, 1e3*fastF, 1e3*p.Front.StopStart, 1e3*fastR, 1e3*p.Rear.StopStart, fast)
		if fastF < slowF+0.005 || fastR < slowR+0.005 || fastF > 0.8*p.Front.StopStart || fastR > 0.8*p.Rear.StopStart {
			t.Errorf("%s: compression from %.3f and %.3f m to %.3f and %.3f m", name, slowF, slowR, fastF, fastR)
		}
		weight := p.Mass * p.Gravity
		if more := (fast - weight) / (slow - weight); more < 0.6*85*85/(20*20) || more > 1.6*85*85/(20*20) {
			t.Errorf("%s: from 20 to 85 m/s downforce grows by a factor of %.1f, its square's is %.1f", name, more, 85.0*85/(20*20))
		}
	}
}

func TestSteeringKeysRampAndReturnAndTheirLockShrinksWithSpeed(t *testing.T) {
	p := loaded(t, "raycast")
	keys := steering.NewKeySteer(p.Steering, p.Wheelbase)
	angle, after := 0.0, [3]float64{}
	for i, held := range []float64{1, 1, 0} {
		for range 100 {
			next := keys.Step(angle, held, 0, sim.Dt)
			if math.Abs(next-angle) > 0.01 {
				t.Fatalf("jumps from %g to %g rad", angle, next)
			}
			angle = next
		}
		after[i] = angle
	}
	if !(after[0] > 0.1 && after[1] > 1.5*after[0] && after[2] < after[1]) {
		t.Errorf("held, held and let go: %.3g rad", after)
	}
	if slow, fast := keys.Lock(0), keys.Lock(40); fast > slow/5 || keys.Lock(20) >= slow || keys.Lock(20) <= fast {
		t.Errorf("lock %.2f rad at standstill, %.2f at 20 m/s, %.2f at 40 m/s", slow, keys.Lock(20), fast)
	}
}
