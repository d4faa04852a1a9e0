package testrun_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/maneuver"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
)

// unbarred are the settings of a car without anti-roll bars.
func unbarred() []string { return []string{"front.bar.mode=none", "rear.bar.mode=none"} }

// The pickup has 60 kg on its roof, which raises its center of mass by 30 mm: without them it slides before it rolls
// over, as its links give way.
func TestBarsKeepThePickupOnItsWheelsInTheMooseTest(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	o := maneuver.Options{Speed: 80 / 3.6, Dt: coarse()}
	const roof = "com_offset_m=[0,0,0.03]"
	with := figures(t, "moose", loaded(t, "pickup", roof), o)
	without := figures(t, "moose", loaded(t, "pickup", append(unbarred(), roof)...), o)
	t.Logf("at 80 km/h with bars %.1f° of roll, without %.1f°", with["max_roll_deg"], without["max_roll_deg"])
	if with["rolled_over"] != 0 || with["max_roll_deg"] > 12 || with["two_wheel_lift"] != 0 {
		t.Errorf("with bars: %v", with)
	}
	if without["rolled_over"] != 1 {
		t.Errorf("without bars: %v", without)
	}
}

func TestLoweringTheCenterOfMassStopsTheRollOver(t *testing.T) {
	level.SkipIfQuick(t)
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
	apart float64   // of the true center of mass from the parabola it flies on [m]
}

// jump drives the ray-cast car off the ledge at 12 m/s and brakes from there on, with its
// center of mass moved up by a height [m].
func jump(t *testing.T, up float64) (j jumped) {
	c := built(t, ledge{}, "raycast", fmt.Sprintf("com_offset_m=[0,0,%g]", up), "drag_area_m2=0")
	s := c.Rest(r3.Vec{X: -15}, 0)
	s.Vel.X = 12
	middle := func() r3.Vec { return r3.Add(s.Pos, r3.Rotation(s.Att).Rotate(r3.Vec{Z: -up})) }
	var from, speed r3.Vec
	inAir, landed := 0, false
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
			landed = inAir > 0
		case inAir == 0:
			from, speed, inAir = middle(), r3.Scale(1/sim.Dt, r3.Sub(middle(), before)), 1
		default:
			at := float64(inAir) * sim.Dt
			fly := r3.Vec{X: from.X + speed.X*at, Z: from.Z + speed.Z*at - 9.80665/2*at*at}
			j.apart = max(j.apart, r3.Norm(r3.Sub(middle(), fly)))
			inAir++
		}
	}
	if inAir < 300 || !landed {
		t.Fatalf("the car was in the air for %d ms", inAir)
	}
	return j
}

func TestALoweredCenterOfMassPitchesJumpsWrongly(t *testing.T) {
	right, low := jump(t, 0), jump(t, -0.5)
	differ := 0.0
	for i := range min(len(right.pitch), len(low.pitch)) {
		differ = max(differ, math.Abs(right.pitch[i]-low.pitch[i]))
	}
	t.Logf("true centers leave their parabolas by %.1f mm, and by %.1f mm with the mass 0.5 m lower; pitch differs by up to %.1f°",
		1e3*right.apart, 1e3*low.apart, differ/degree)
	if right.apart > 0.01 {
		t.Errorf("a real center of mass leaves its parabola by %.3f m", right.apart)
	}
	if low.apart < 0.03 {
		t.Errorf("the car 0.5 m too low turns about its true center: %.3f m off the parabola", low.apart)
	}
	if differ < 3*degree {
		t.Errorf("pitch differs by %.2f° at most", differ/degree)
	}
}

// The hatch's tires gain less stiffness than load: the axle with the stiffer bar, whose
// outer tire carries more, needs more slip angle.
func TestAStifferFrontBarUndersteersMoreAndAStifferRearBarLess(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	gradient := func(key string, rate float64) map[string]float64 {
		return figures(t, "steady-circle", loaded(t, "hatch", fmt.Sprintf("%s=%g", key, rate)), maneuver.Options{Dt: coarse()})
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
	level.SkipIfQuick(t)
	t.Parallel()
	const stiff = "rear.anti_roll_rate_n_per_m=30e3"
	bare := figures(t, "steady-circle", loaded(t, "hatch", "front.bar.mode=none", stiff), maneuver.Options{Dt: coarse()})
	barred := figures(t, "steady-circle", loaded(t, "hatch", "front.anti_roll_rate_n_per_m=30e3", stiff), maneuver.Options{Dt: coarse()})
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
func TestAntiRollBarOnTheBodyReducesLoadAndGripOfTheOuterTire(t *testing.T) {
	outer := func(apply string) (load, grip, ay float64) {
		c := built(t, road.Asphalt(), "hatch", "front.bar.mode=force", "rear.bar.mode=force",
			"front.bar.apply="+apply, "rear.bar.apply="+apply)
		s := inTurn(c, 20, 5.4) // of a neutral car; this one understeers
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
func TestAntiRollBarOnTheBodyLiftsTheOtherWheel(t *testing.T) {
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
	level.SkipIfQuick(t)
	t.Parallel()
	auto := []string{"front.bar.auto=true", "front.bar.auto_from_kph=40", "front.bar.auto_full_kph=60", "front.bar.auto_least=0"}
	roll := func(kph float64, set ...string) float64 {
		return figures(t, "steady-circle", loaded(t, "hatch", set...), maneuver.Options{Speed: kph / 3.6, Dt: coarse()})["roll_gradient_deg_per_g"]
	}
	none, full := roll(35, "front.bar.mode=none"), roll(70)
	slow, fast := roll(35, auto...), roll(70, auto...)
	t.Logf("without %.3f °/g, at 35 km/h %.3f °/g; with all of it %.3f °/g, at 70 km/h %.3f °/g", none, slow, full, fast)
	if math.Abs(slow-none) > 0.005*none || math.Abs(fast-full) > 0.005*full || full > none-0.5 {
		t.Errorf("roll gradients %.3f and %.3f °/g, want %.3f and %.3f °/g", slow, fast, none, full)
	}
}

// A car whose left mirrors its right, left alone, does not know which way to leave its line. Its engine lies across
// the car for that: one that lies along it leans the car to the right while it speeds up.
func TestAStraightLineStaysStraightBitForBit(t *testing.T) {
	level.SkipIfQuick(t)
	for _, k := range classes() {
		c := built(t, road.Asphalt(), k.car, "driveline.crank_axis=transverse")
		s := c.Rest(r3.Vec{}, 0)
		steps(c, &s, 12_000, func(s *sim.State) sim.Input {
			if s.Tick > 8000 {
				return sim.Input{Brake: 1, Handbrake: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}}
			}
			return sim.Input{Throttle: 1, Gear: 1, Assists: assist.Switches{AutoClutch: true, AutoShift: true}}
		})
		if s.Pos.X < 50 || s.Pos.Y != 0 || s.Vel.Y != 0 || s.Rate.Z != 0 || s.Roll() != 0 {
			t.Errorf("%s: after %.0f m %g m aside, yaw rate %g rad/s, roll %g rad", k.car, s.Pos.X, s.Pos.Y, s.Rate.Z, s.Roll())
		}
	}
}

// frictionless are the wheel colliders' friction curves with a stiffness of 0.
func frictionless() (set []string) {
	for _, axle := range []string{"front", "rear"} {
		for _, distance := range []string{"forward", "sideways"} {
			set = append(set, fmt.Sprintf("%s.tire.curve.%s.stiffness=0", axle, distance))
		}
	}
	return set
}

// Wheels locked at once take all of the motion's energy but what the air takes.
func TestSkidEnergyIsTheEnergyOfMotion(t *testing.T) {
	c := built(t, road.Asphalt(), "raycast", "brakes.torque_nm=50e3", "drag_area_m2=0")
	s := rolled(c, 20)
	slipPower := func() (j float64) {
		for i := range s.Wheels {
			j += s.Wheels[i].Roll.SlipEnergy
		}
		return j
	}
	moving, before := c.Params().Mass*s.Speed*s.Speed/2, slipPower()
	steps(c, &s, 6000, func(*sim.State) sim.Input { return sim.Input{Brake: 1} })
	if taken := slipPower() - before; r3.Norm(s.Vel) > 1e-3 || math.Abs(taken-moving) > 0.03*moving {
		t.Errorf("skidding took %.0f J of %.0f J", taken, moving)
	}
}

// Dropped from 2 m, springs without stops of their own meet the metal and go no further; no
// rim sinks into the ground.
func TestTheSuspensionStopsHardAtFullBump(t *testing.T) {
	p := loaded(t, "raycast")
	r := figures(t, "drop", p, maneuver.Options{Dt: coarse()})
	if p.Front.BumpStopRate != 0 || r["max_travel_front_m"] > p.Front.Travel || r["min_clearance_m"] < 0 {
		t.Errorf("of %g m: %v", p.Front.Travel, r)
	}
	soft := figures(t, "drop", loaded(t, "raycast", "front.spring_rate_n_per_m=16e3", "rear.spring_rate_n_per_m=16e3"), maneuver.Options{Dt: coarse()})
	if math.Abs(soft["max_travel_front_m"]-p.Front.Travel) > 1e-9 || soft["min_clearance_m"] < 0 {
		t.Errorf("with springs half as stiff, of %g m: %v", p.Front.Travel, soft)
	}
}

func TestTheRayCastCarsDampersAreStifferOnTheWayIn(t *testing.T) {
	p := loaded(t, "raycast")
	if p.Front.BumpDamping <= p.Front.ReboundDamping || p.Rear.BumpDamping <= p.Rear.ReboundDamping {
		t.Errorf("bump %g, rebound %g N·s/m", p.Front.BumpDamping, p.Front.ReboundDamping)
	}
	other := loaded(t, "raycast",
		fmt.Sprintf("front.damper_bump_ns_per_m=%g", p.Front.ReboundDamping), fmt.Sprintf("front.damper_rebound_ns_per_m=%g", p.Front.BumpDamping),
		fmt.Sprintf("rear.damper_bump_ns_per_m=%g", p.Rear.ReboundDamping), fmt.Sprintf("rear.damper_rebound_ns_per_m=%g", p.Rear.BumpDamping))
	in, out := figures(t, "drop", p, maneuver.Options{Dt: coarse()}), figures(t, "drop", other, maneuver.Options{Dt: coarse()})
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
		farthest, back, rotated := 0.0, 0.0, 0.0
		steps(c, &s, 6000, func(s *sim.State) sim.Input {
			farthest = max(farthest, s.Pos.X)
			back = max(back, farthest-s.Pos.X)
			for i := range s.Wheels {
				rotated = min(rotated, s.Wheels[i].Roll.Spin)
			}
			return sim.Input{Brake: 1}
		})
		t.Logf("%s: swings back by %.1f mm, wheels turn at %.2f rad/s or more", k.car, 1e3*back, rotated)
		if k.car == "raycast" && (rotated < 0 || back > 0.002) || back > 0.07 || math.Abs(s.Speed) > 0.001 {
			t.Errorf("%s: %.3f m backwards, wheels at %.3f rad/s, %.4f m/s in the end", k.car, back, rotated, s.Speed)
		}
	}
}

// standingStiffness returns the longitudinal stiffness of a car's standing tire at a load [N/m]: that of the tire's
// file, or slip stiffness over relaxation length.
func standingStiffness(car string, load float64) float64 {
	switch car {
	case "hatch":
		return 380e3 // LONGITUDINAL_STIFFNESS of road.tir, which the load changes by 15 % at most
	case "gt", "formula":
		return 580e3 // slick.tir
	case "pickup":
		return 337e3 // pickup.tir
	case "wheelcollider":
		return 2 / 0.4 / 0.05 * load // twice the extremum's value over its slip, and the relaxation length
	}
	return 22.303 * 3000 / (0.436 * 0.344) // coupe.tir: PKX1 times FNOMIN over PTX1 times the radius
}

// A car that has stopped with locked wheels swings back on its tires and on its springs, and no further. Its tires
// give back a way of F/k and the energy of springs, F²/(2k); the car rises from its dive about the locked wheels, which
// moves its center of mass back by its height times the angle. Wheels with dry friction have no carcass to swing on.
func TestAStoppedCarSwingsBackAsItsTiresAndSpringsAllow(t *testing.T) {
	level.SkipIfQuick(t)
	for _, name := range config.Cars() {
		if name == "reference" { // whose tires have hardly any relaxation length
			continue
		}
		c := built(t, road.Asphalt(), name)
		p, s := c.Params(), rolled(c, 15)
		brake := func(*sim.State) sim.Input { return sim.Input{Brake: 1, Clutch: 1} }
		for s.Speed > 0 {
			steps(c, &s, 1, brake)
		}
		var force, stiffness, longest, energy float64
		for i := range s.Wheels {
			k := standingStiffness(name, s.Wheels[i].Load)
			f := -s.Wheels[i].Fx
			force, stiffness, longest, energy = force+f, stiffness+k, max(longest, f/k), energy+f*f/(2*k)
		}
		if name == "raycast" {
			force, longest, energy = 0, 0, 0
		}
		stopped, back, speed, jump := s, 0.0, 0.0, 0.0
		steps(c, &s, 6000, func(now *sim.State) sim.Input {
			back, speed = max(back, stopped.Pos.X-now.Pos.X), max(speed, -now.Vel.X)
			was := now.Acc.X
			after := *now
			c.Step(&after, brake(now))
			jump = max(jump, math.Abs(after.Acc.X-was))
			return brake(now)
		})
		rest, dive := stopped.Pos.X-s.Pos.X, p.CGHeight*(stopped.Pitch()-s.Pitch())
		t.Logf("%s: %.1f mm back at %.2f m/s, rests %.1f mm back; tires %.1f mm, dive %.1f mm", name, 1e3*back, speed, 1e3*rest, 1e3*force/stiffness, 1e3*dive)
		const slack = 3e-3 // [m]
		if rest < force/stiffness+dive-slack || rest > longest+dive+slack {
			t.Errorf("%s: rests %.1f mm back, want %.1f to %.1f mm", name, 1e3*rest, 1e3*(force/stiffness+dive), 1e3*(longest+dive))
		}
		if limit := rest + force/stiffness + 0.25*dive + slack; back > limit {
			t.Errorf("%s: swings back by %.1f mm, want %.1f mm or less", name, 1e3*back, 1e3*limit)
		}
		if limit := 1.1*math.Sqrt(2*energy/p.Mass) + 0.02; speed > limit {
			t.Errorf("%s: swings back at %.3f m/s, want %.3f m/s or less", name, speed, limit)
		}
		if name != "raycast" && jump > 1.5 || math.Abs(s.Speed) > 0.001 {
			t.Errorf("%s: acceleration jumps by %.2f m/s² in a tick, %.4f m/s in the end", name, jump, s.Speed)
		}
		for i := range s.Wheels {
			if s.Wheels[i].Roll.Spin != 0 {
				t.Errorf("%s: wheel %d turns at %g rad/s", name, i, s.Wheels[i].Roll.Spin)
			}
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
			steps(c, &s, 5000, func(s *sim.State) sim.Input { return sim.Input{PushForce: 10 * kept(c, s, speed)} })
			return s.Bars[0].CompressionLeft, s.Bars[1].CompressionLeft, sum(&s)
		}
		slowF, slowR, slow := at(20)
		fastF, fastR, fast := at(85)
		t.Logf("%s: at 72 km/h %.0f and %.0f mm and %.0f N, at 306 km/h %.0f of %.0f mm, %.0f of %.0f mm and %.0f N", name,
			1e3*slowF, 1e3*slowR, slow, 1e3*fastF, 1e3*p.Front.BumpStopTravel, 1e3*fastR, 1e3*p.Rear.BumpStopTravel, fast)
		if fastF < slowF+0.005 || fastR < slowR+0.005 || fastF > 0.8*p.Front.BumpStopTravel || fastR > 0.8*p.Rear.BumpStopTravel {
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
	keys := steering.NewKeyboard(p.Steering, p.Wheelbase)
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
