package driver

import (
	"math"

	"rig.example/rig/road/racing"
	"rig.example/rig/sim/driveline"
)

// planSpeeds returns the highest possible speeds along the driver's line. Bends, banks, crests and grip
// limit the speed itself, the brakes the deceleration before a bend, and the engine and the grip of the
// driven wheels the acceleration after it. force is the brake force over that of cold brakes.
func (d *Model) planSpeeds(force float64) (*racing.Speeds, error) {
	return racing.SpeedProfile(d.line, racing.Limits{
		Gravity: d.params.Gravity, MinLoad: minLoadShare,
		LateralAccel: func(v float64) float64 { return d.effort * d.limits.lateral.at(v) },
		BrakeAccel: func(v float64) float64 {
			return d.effort*min(d.limits.braking.at(v), force*d.limits.pedalGain+d.resistance(v)) - d.resistance(v)
		},
		TractionAccel: func(v float64) float64 { return d.effort * d.traction(v) },
		EngineAccel:   func(v float64) float64 { return max(d.maxDrive(v), d.resistance(v)) },
		Drag:          d.resistance,
		CombinedGrip:  d.longitudinalShare,
		GripFactor:    d.lineGrip,
		MaxLateral:    d.cfg.Lateral, MaxBraking: d.cfg.Braking, MaxDrive: d.cfg.Driving, MaxSpeed: d.cfg.Fastest,
	})
}

// lagShare returns how slowly the car responds to steering at high speed: 0 for a usual response time, up
// to 1 for a very long one. The driver leaves a margin in proportion.
func (d *Model) lagShare() float64 {
	const speed, usualResponseTime = 50.0, 0.5 // high speed [m/s], usual response time of a car at it [s]
	return 1 - min(usualResponseTime/max(d.responseTime(speed), usualResponseTime), 1)
}

// longitudinalShare returns the share of the longitudinal grip that the driver uses where a bend takes up
// the share used of the lateral grip. It is less than the friction ellipse allows, because brakes and
// driven wheels do not match every load distribution, and still less for a car that responds slowly.
func (d *Model) longitudinalShare(used float64) float64 {
	return (1 - used*used) * (1 - min(8*d.lagShare(), 1)*used)
}

// minLoadShare is the share of the weight that must stay on the wheels over a crest.
const minLoadShare = 0.3

// targetAy returns the lateral acceleration [m/s²] that the driver aims at for a speed [m/s] and a
// curvature [1/m] at the car's position: the one that the tires allow, plus or minus the effect of the bank.
func (d *Model) targetAy(m *Memory, speed, curvature float64) float64 {
	limit, bank := d.bankedLimit(m, speed)
	return max(min(d.cfg.Lateral, d.effort*limit)-math.Copysign(bank, bank*curvature), 0.5)
}

// traction returns the acceleration [m/s²] that the driven axles can transmit to the road at a speed [m/s].
func (d *Model) traction(speed float64) float64 {
	p := &d.params
	heightRatio := p.CGHeight / p.Wheelbase
	accel := d.limits.braking.at(speed)
	grip := accel / max(p.Gravity, 0.1)
	rearShare := p.CGToFront / p.Wheelbase // share of the weight on the rear axle
	switch p.Driveline.FrontShare {
	case 0:
		accel *= rearShare / max(1-grip*heightRatio, 0.3)
	case 1:
		accel *= (1 - rearShare) / (1 + grip*heightRatio)
	}
	return accel
}

// maxDrive returns the acceleration [m/s²] at full throttle in the best gear at a speed [m/s].
func (d *Model) maxDrive(speed float64) float64 {
	best := 0.0
	for gear := range d.params.Driveline.Gears {
		best = max(best, d.driveAccel(int8(gear+1), speed))
	}
	return best
}

// driveAccel returns the acceleration [m/s²] at full throttle in a forward gear at a speed [m/s].
func (d *Model) driveAccel(gear int8, speed float64) float64 {
	l := &d.params.Driveline
	radius := d.rearRadius
	ratio := l.Gears[min(max(int(gear), 1), len(l.Gears))-1] * l.FinalDrive
	engineRPM := max(speed/radius*ratio*30/math.Pi, l.LaunchRPM) // [1/min]
	inertia := l.EngineInertia*ratio*ratio + 2*(d.params.Front.Wheel.Inertia+d.params.Rear.Wheel.Inertia)
	return torqueAt(l.TorqueCurve, engineRPM) * ratio / radius / (d.params.Mass + inertia/(radius*radius))
}

// torqueAt returns the engine's torque at full throttle [N·m] at a speed [1/min].
func torqueAt(curve []driveline.TorquePoint, rpm float64) float64 {
	if rpm <= curve[0].RPM {
		return curve[0].Torque
	}
	for i := 1; i < len(curve); i++ {
		if a, b := curve[i-1], curve[i]; rpm < b.RPM {
			return a.Torque + (b.Torque-a.Torque)*(rpm-a.RPM)/(b.RPM-a.RPM)
		}
	}
	return curve[len(curve)-1].Torque
}

// resistance returns the deceleration [m/s²] by air drag and rolling resistance at a speed [m/s].
func (d *Model) resistance(speed float64) float64 { return d.rollingDecel + d.drag*speed*speed }
