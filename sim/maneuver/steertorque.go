package maneuver

import (
	"math"

	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	steerTorqueSpeed = 80 * kph
	parkingCycle     = 8.0 // time for a whole cycle from lock to lock [s]
)

// steerTorque measures the torque at the steering wheel: from lock to lock while the car stands on its
// brakes, then, at a speed that an ideal controller holds, with a slowly growing angle until the front
// axle's side force is past its peak. A torque peak before that of the side force warns the driver.
func steerTorque(t *run, r *Result, o Options) error {
	parking := t.parkingTorque()
	o.Progress(0.1)
	t.PlaceRolling(o.Speed, 0)
	f := frontAxle{every: max(int(math.Round(1/(trial.FineRate*t.Dt))), 1)}
	f.ramp(t, o)
	r.addSteerTorqueMetrics(t, parking, &f)
	return nil
}

// parkingTorque turns the steering wheel to each lock once while the car stands braked. It returns the
// largest torque of the front tires on the steering column [N·m].
func (t *run) parkingTorque() (largest float64) {
	t.PlaceAtRest(0, 0, 0)
	t.Input.Brake = 1
	t.RunUntil(trial.SettleTime, func(float64) {})
	t.StartRecording()
	t.RunUntil(parkingCycle, func(now float64) {
		t.Input.Steer = t.Lock * math.Sin(2*math.Pi*now/parkingCycle)
		largest = max(largest, math.Abs(t.State.ColumnTorque))
	})
	return largest
}

// frontSample is the steering and the front axle at a moment of a bend to the left. Every value is
// positive there.
type frontSample struct {
	wheel  float64 // steering wheel angle [rad]
	slip   float64 // mean slip angle of the front tires [rad]
	torque float64 // returning torque at the steering wheel [N·m]
	force  float64 // side force of both front tires [N]
	ay     float64 // [m/s²]
}

// frontAxle records the front axle during a ramp.
type frontAxle struct {
	every     int // number of ticks from one sample to the next
	samples   []frontSample
	hasPeaked bool // the side force is past its peak: it fell again, or no longer grew
}

// ramp steers as the steady circle does, but continues beyond the largest lateral acceleration, until the
// front axle's side force is past its peak or the lock is reached. It also ends when the car spins or
// rolls over. Then, and when both wheels of a side have lifted, a fall of the force does not count as
// a peak.
func (f *frontAxle) ramp(t *run, o Options) {
	const ayRate, minFallTime, maxTimeWithoutGrowth, fallenShare = 0.25, 0.5, 8.0, 0.98 // [m/s³], [s], [s], share of the peak
	rate := min(t.RoadWheelAngleFor(ayRate, o.Speed), t.MaxRoadWheelAngle()/10)
	maxForce, maxForceTime := 0.0, 0.0
	for angle := 0.0; angle <= t.MaxRoadWheelAngle(); angle = rate * t.Now() {
		t.Input.Steer = t.SteeringWheelFor(angle)
		t.HoldSpeed(o.Speed, 0)
		t.Step()
		sample := f.sample(t)
		if t.RolledOver() || t.Spun() {
			return
		}
		if sample.force > 1.002*maxForce {
			maxForce, maxForceTime = sample.force, t.Now()
		}
		sinceMax := t.Now() - maxForceTime
		isPast := sinceMax > maxTimeWithoutGrowth || sinceMax > minFallTime && sample.force < fallenShare*maxForce
		if f.hasPeaked = isPast && !t.Lifts.OneSide; f.hasPeaked {
			return
		}
		if t.State.Tick%1024 == 0 {
			o.Progress(0.1 + 0.9*angle/t.MaxRoadWheelAngle())
		}
	}
}

// sample returns the present sample and records it if one is due, at trial.FineRate.
func (f *frontAxle) sample(t *run) frontSample {
	l, r := &t.State.Wheels[tire.FL], &t.State.Wheels[tire.FR]
	present := frontSample{
		wheel: t.State.Steer, slip: -(l.Alpha + r.Alpha) / 2,
		torque: -t.State.ColumnTorque, force: l.Fy + r.Fy, ay: trial.MotionOf(&t.State).Ay,
	}
	if int(t.State.Tick)%f.every == 0 {
		f.samples = append(f.samples, present)
	}
	return present
}

// addSteerTorqueMetrics compares the peaks of torque and side force. A tire's aligning torque is largest
// where only the end of the contact slides, and zero where all of it does.
func (r *Result) addSteerTorqueMetrics(t *run, parking float64, f *frontAxle) {
	torque := f.peak(func(e *frontSample) float64 { return e.torque })
	r.add("parking_torque_nm", parking, "N·m", "largest torque on the column from lock to lock at a standstill, braked")
	r.add("peak_torque_nm", torque.torque, "N·m", "largest torque that turns the steering wheel back in the ramp")
	r.add("torque_peak_wheel_deg", torque.wheel/degree, "°", "steering wheel angle at the largest torque")
	r.add("torque_peak_slip_deg", torque.slip/degree, "°", "mean slip angle of the front tires at the largest torque")
	r.add("torque_peak_ay_g", torque.ay/gravity, "g", "lateral acceleration at the largest torque")
	if f.hasPeaked {
		r.addForcePeakMetrics(torque, f.peak(func(e *frontSample) float64 { return e.force }))
	} else {
		r.Notes = append(r.Notes, "the run ended before the front axle's side force had its peak")
	}
	r.addVerdict("rolled_over", t.RolledOver(), "the car rolled over")
	r.Traces = append(r.Traces,
		f.trace("Steering torque", "column torque [N·m]", func(e *frontSample) float64 { return e.torque }),
		f.trace("Side force in front", "force [N]", func(e *frontSample) float64 { return e.force }))
}

// addForcePeakMetrics adds the metrics of the side force's peak, and how far before it the torque's peak is.
func (r *Result) addForcePeakMetrics(torque, force frontSample) {
	r.add("peak_front_force_n", force.force, "N", "largest side force of the front axle; its peak is where the force first comes within 0.1 % of it")
	r.add("force_peak_wheel_deg", force.wheel/degree, "°", "steering wheel angle at the largest side force")
	r.add("force_peak_slip_deg", force.slip/degree, "°", "mean slip angle of the front tires at the largest side force")
	r.add("force_peak_ay_g", force.ay/gravity, "g", "lateral acceleration at the largest side force")
	r.add("torque_left_pct", 100*force.torque/torque.torque, "%", "torque at the largest side force over the largest torque")
	const fallenShare = 0.95
	if force.torque > fallenShare*torque.torque {
		r.Notes = append(r.Notes, "the torque gives no warning, because it does not fall before the side force: no aligning torque, or much caster trail")
		return
	}
	r.add("wheel_angle_ratio", torque.wheel/force.wheel, "", "steering wheel angle of the torque's peak over that of the side force's peak; below 1 the steering gets light before the grip ends")
	r.add("slip_angle_ratio", torque.slip/force.slip, "", "slip angle of the torque's peak over that of the side force's peak")
}

// peak returns the sample of the largest value: the first one within a thousandth of it, because sliding
// tires may keep their peak value.
func (f *frontAxle) peak(value func(*frontSample) float64) frontSample {
	largest := 0.0
	for i := range f.samples {
		largest = max(largest, value(&f.samples[i]))
	}
	for i := range f.samples {
		if e := &f.samples[i]; value(e) >= 0.999*largest {
			return *e
		}
	}
	return frontSample{}
}

// trace plots a value over the steering wheel angle.
func (f *frontAxle) trace(title, label string, value func(*frontSample) float64) Trace {
	const points = 400
	s := Series{}
	for i := 0; i < len(f.samples); i += max(len(f.samples)/points, 1) {
		s.X, s.Y = append(s.X, f.samples[i].wheel/degree), append(s.Y, value(&f.samples[i]))
	}
	return Trace{title, "steering wheel [°]", label, []Series{s}}
}
