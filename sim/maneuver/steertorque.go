package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	steerTorqueSpeed = 80 * kph
	parkTurn         = 8.0 // from the middle to one lock, to the other and back [s]
)

// steerTorque feels the steering wheel: first it turns it from lock to lock while the
// car stands on its brakes, then, at a speed that an ideal controller holds, it lets the
// angle grow slowly until the front axle has no more to give. How far the
// torque's peak comes before that of the side force is what warns a driver.
func steerTorque(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	parking := t.parkingTorque()
	o.Progress(0.1)
	t.Roll(o.Speed, 0)
	f := frontAxle{every: max(int(math.Round(1/(trial.FineRate*t.Dt))), 1)}
	f.ramp(t, o)
	r := &Result{Speed: o.Speed, Rows: t.Out.Rows}
	r.judgeSteerTorque(t, parking, &f)
	return r, nil
}

// parkingTorque turns the wheel once to either lock at a standstill and returns the
// largest torque that it takes [N·m].
func (t *run) parkingTorque() (most float64) {
	t.Rest(0, 0, 0)
	t.Input.Brake = 1
	t.Until(trial.RollIn, func(float64) {})
	t.Begin()
	t.Until(parkTurn, func(now float64) {
		t.Input.Steer = t.Lock * math.Sin(2*math.Pi*now/parkTurn)
		most = max(most, math.Abs(t.State.ColumnTorque))
	})
	return most
}

// feel is what the driver's hands and the front axle have at a moment of a bend to the
// left, so that every value is positive.
type feel struct {
	wheel  float64 // steering wheel angle [rad]
	slip   float64 // mean of the front tires' slip angles [rad]
	torque float64 // that turns the steering wheel back [N·m]
	force  float64 // of both front tires to the side [N]
	ay     float64 // [m/s²]
}

// frontAxle watches the front axle along a ramp.
type frontAxle struct {
	every int // ticks between two samples
	felt  []feel
	ends  bool // the side force had its peak: it fell again, or grew no more
}

// ramp steers as the steady circle does, but on past the largest lateral
// acceleration, until the front axle's side force has had its peak, to the lock at
// most. A car on two wheels or one that turns round loses the force for other reasons.
func (f *frontAxle) ramp(t *run, o Options) {
	const grows, blip, patience, fallen = 0.25, 0.5, 8.0, 0.98 // [m/s³], [s], [s], of the peak
	rate := min(t.RoadFor(grows, o.Speed), t.MostRoad()/10)
	best, when := 0.0, 0.0
	for angle := 0.0; angle <= t.MostRoad(); angle = rate * t.Now() {
		t.Input.Steer = t.Wheel(angle)
		t.HoldSpeed(o.Speed, 0)
		t.Step()
		now := f.sample(t)
		if t.RolledOver() || t.Spun() {
			return
		}
		if now.force > 1.002*best {
			best, when = now.force, t.Now()
		}
		since := t.Now() - when
		had := since > patience || since > blip && now.force < fallen*best
		if f.ends = had && !t.Lifts.Pairs; f.ends {
			return
		}
		if t.State.Tick%1024 == 0 {
			o.Progress(0.1 + 0.9*angle/t.MostRoad())
		}
	}
}

// sample notes what is felt, every so many ticks, and returns it.
func (f *frontAxle) sample(t *run) feel {
	l, r := &t.State.Wheels[tire.FL], &t.State.Wheels[tire.FR]
	now := feel{
		wheel: t.State.Steer, slip: -(l.Alpha + r.Alpha) / 2,
		torque: -t.State.ColumnTorque, force: l.Fy + r.Fy, ay: trial.MotionOf(&t.State).Ay,
	}
	if int(t.State.Tick)%f.every == 0 {
		f.felt = append(f.felt, now)
	}
	return now
}

// judgeSteerTorque compares the peaks of torque and side force. A tire's aligning
// torque is largest where only the contact's end slides, and gone where all of it does.
func (r *Result) judgeSteerTorque(t *run, parking float64, f *frontAxle) {
	torque := f.peak(func(e *feel) float64 { return e.torque })
	r.add("parking_torque_nm", parking, "N·m", "largest torque on the column from lock to lock at a standstill, braked")
	r.add("peak_torque_nm", torque.torque, "N·m", "largest torque that turns the steering wheel back in the ramp")
	r.add("torque_peak_wheel_deg", torque.wheel/degree, "°", "steering wheel angle there")
	r.add("torque_peak_slip_deg", torque.slip/degree, "°", "mean slip angle of the front tires there")
	r.add("torque_peak_ay_g", torque.ay/gravity, "g", "lateral acceleration there")
	if f.ends {
		r.warns(torque, f.peak(func(e *feel) float64 { return e.force }))
	} else {
		r.Notes = append(r.Notes, "the run ended before the front axle's side force had its peak")
	}
	r.say("rolled_over", t.RolledOver(), "the car rolled over")
	r.Traces = append(r.Traces,
		f.trace("Steering torque", "column torque [N·m]", func(e *feel) float64 { return e.torque }),
		f.trace("Side force in front", "force [N]", func(e *feel) float64 { return e.force }))
}

// warns takes the figures of the side force's peak, and how far before it that of
// the torque comes.
func (r *Result) warns(torque, force feel) {
	r.add("peak_front_force_n", force.force, "N", "largest side force of the front axle")
	r.add("force_peak_wheel_deg", force.wheel/degree, "°", "steering wheel angle there")
	r.add("force_peak_slip_deg", force.slip/degree, "°", "mean slip angle of the front tires there")
	r.add("force_peak_ay_g", force.ay/gravity, "g", "lateral acceleration there")
	r.add("torque_left_pct", 100*force.torque/torque.torque, "%", "of the largest torque, left there")
	const falls = 0.95
	if force.torque > falls*torque.torque {
		r.Notes = append(r.Notes, "the torque warns of nothing, for it does not fall before the side force: no aligning torque, or much caster trail")
		return
	}
	r.add("wheel_angle_ratio", torque.wheel/force.wheel, "", "steering wheel angle of the torque's peak over that of the force's")
	r.add("slip_angle_ratio", torque.slip/force.slip, "", "the same of the front tires' slip angles")
}

// peak returns the moment of the largest value: the first that is within a thousandth
// of it, for tires that slide may hold theirs.
func (f *frontAxle) peak(value func(*feel) float64) feel {
	most := 0.0
	for i := range f.felt {
		most = max(most, value(&f.felt[i]))
	}
	for i := range f.felt {
		if e := &f.felt[i]; value(e) >= 0.999*most {
			return *e
		}
	}
	return feel{}
}

// trace is a plot over the steering wheel angle.
func (f *frontAxle) trace(title, label string, value func(*feel) float64) Trace {
	const points = 400
	s := Series{}
	for i := 0; i < len(f.felt); i += max(len(f.felt)/points, 1) {
		s.X, s.Y = append(s.X, f.felt[i].wheel/degree), append(s.Y, value(&f.felt[i]))
	}
	return Trace{title, "steering wheel [°]", label, []Series{s}}
}
