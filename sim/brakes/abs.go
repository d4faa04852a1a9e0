package brakes

import "rig.example/rig/sim/tire"

// antilock holds everything of the anti-lock brakes' control that is constant in a run.
type antilock struct {
	dt               float64    // time step [s]
	perDt            float64    // 1/dt
	filterGain       float64    // share of the difference by which the filtered acceleration follows in a tick
	radius           [2]float64 // rolling radius of each axle's wheels [m]
	lateral          [4]float64 // lateral position of each wheel from the car's middle, positive left [m]
	slipLimit        [2]float64 // slip of each axle's tires above which a wheel counts as locking at level 5
	pressurePerAccel [2]float64 // brake pressure that slows a wheel's own inertia by 1 m/s² [bar·s²/m]
	release          float64    // decrease of the pressure in a tick while it is released [bar]
	build            float64    // fast increase of the pressure in a tick [bar]
	// increase of a front wheel's pressure in a tick while the other front wheel locks [bar]
	yawDelay      float64
	yawDelayStart float64 // pressure that this front wheel may have at once above that of the other [bar]
	// share of a front wheel's load that moves to the outer wheel for each m/s² of lateral acceleration
	// [s²/m]
	loadTransfer float64
	minSpeed     float64 // speed below which the ABS does not work [m/s]
}

// newAntilock returns the control of the brakes k, whose fullPressure and torquePerBar must be set; dt is the
// time step [s].
func newAntilock(b *ABS, car *Vehicle, k *System, dt float64) antilock {
	const lag = 0.006 // time constant of the filtered acceleration [s]
	a := antilock{
		dt: dt, perDt: 1 / dt, filterGain: dt / (lag + dt), minSpeed: b.MinSpeed,
		release: b.ReleaseRate * dt, build: b.BuildRate * dt, yawDelay: b.YawDelayRate * dt, yawDelayStart: 0.08 * k.fullPressure,
	}
	a.loadTransfer = 2 * car.CGHeight / (max(car.Gravity, 1) * car.Axles[0].Track)
	for axle := range a.radius {
		at := &car.Axles[axle]
		a.lateral[2*axle], a.lateral[2*axle+1] = at.Track/2, -at.Track/2
		a.radius[axle] = at.Radius
		if a.slipLimit[axle] = b.SlipLimit; b.SlipLimit == 0 {
			a.slipLimit[axle] = at.PeakSlip
		}
		if k.torquePerBar[axle] > 0 {
			a.pressurePerAccel[axle] = at.Inertia / at.Radius / k.torquePerBar[axle]
		}
	}
	return a
}

// reset clears the state of the ABS. It is called while the ABS is off.
func (a *antilock) reset(s *State) {
	s.ABS, s.PedalPulse = ABSState{}, 0
	for i := range s.Wheels {
		s.Wheels[i].ABS = ABSWheel{}
	}
}

// selectLow combines the motions of an axle's two wheels for a common control that follows the wheel with
// less grip: it returns the larger slip and the lower acceleration.
func selectLow(a, b wheelMotion) wheelMotion {
	return wheelMotion{max(a.slip, b.slip), min(a.accel, b.accel)}
}

// control sets the phase and the pressure step of every wheel for this tick. want holds the demanded
// pressures of the wheels [bar]; the yaw moment delay may reduce them.
func (a *antilock) control(s *State, in *Input, want *[4]float64) {
	var wheels [4]wheelMotion
	a.measure(&wheels, s, in, want)
	rear := selectLow(wheels[tire.RL], wheels[tire.RR]) // select-low: the wheel with less grip decides for both
	wheels[tire.RL], wheels[tire.RR] = rear, rear
	const neutral, maxLevel = 5, 10
	threshold := 1 + 0.08*float64(neutral-int(min(in.ABS, maxLevel))) // 1.32 at level 1, 0.6 at level 10
	for i := range wheels {
		b := &s.Wheels[i]
		if s.ABS.Reference < a.minSpeed {
			b.ABS = ABSWheel{Phase: absFollow, Speed: b.ABS.Speed, Accel: b.ABS.Accel}
			continue
		}
		const noise = 0.3    // slip that rough roads and bends cause without braking [m/s]
		const rolling = 0.45 // share of the locking pressure below which a wheel rolls freely
		limit := threshold*a.slipLimit[i/2]*s.ABS.Reference + noise
		mustRelease := i >= tire.RL && a.referenceIsStale(&s.ABS) && b.ABS.IsActive() && b.Pressure > rolling*b.ABS.LockPressure
		a.stepPhase(&b.ABS, wheels[i], limit, b.Pressure, want[i], i/2, mustRelease)
	}
	a.yawMomentDelay(&s.Wheels[tire.FL], &s.Wheels[tire.FR], want, in.AccelY)
	a.pedalPulse(s)
}

// stepPhase updates the phase and the pressure step of a wheel. limit is the slip speed above which it counts
// as locking [m/s], pressure its pressure and want the demanded one [bar]. If mustRelease is true, the
// pressure is released in any case, so that the wheel rolls freely and shows the car's speed.
//
// A wheel locks if it slows down and its slip is above the limit or will soon be, or if its slip is far above
// the limit. It has recovered when its slip is small. A rear wheel must also have stopped gaining speed,
// because only freely rolling wheels show the car's speed.
func (a *antilock) stepPhase(w *ABSWheel, motion wheelMotion, limit, pressure, want float64, axle int,
	mustRelease bool) {
	const steady, ahead, nearLimit = 3, 0.01, 0.8 // [m/s², s, -]
	slipSoon := motion.slip - ahead*motion.accel
	slowing := motion.accel < -steady && (motion.slip > limit || motion.slip > nearLimit*limit && slipSoon > 1.5*limit)
	locked := motion.slip > min(2*limit, 0.7*(motion.slip+w.Speed)) && w.Accel < steady
	isLocking := slowing || locked || mustRelease
	w.PhaseTime += a.dt
	next := w.Phase
	switch {
	case w.Phase != absRelease && isLocking:
		next = absRelease
	case w.Phase == absRelease && !isLocking && motion.accel > 0:
		next = absHold
	case w.Phase == absHold:
		const small, settles, margin, maxTime = 0.8, 2, 6, 0.3 // [-, m/s², m/s², s]
		carDecel := motion.accel - w.Accel                     // with more grip, wheels recover faster
		settled := motion.accel < settles+6*max(carDecel-margin, 0)
		if motion.slip < small*limit && (axle == 0 || settled) || settled && w.PhaseTime > maxTime {
			next = absBuild
		}
	case w.Phase == absBuild && pressure >= want:
		next = absFollow
	}
	if next != w.Phase {
		if next == absRelease && w.Phase != absHold && !mustRelease {
			w.LockPressure = max(pressure+min(motion.accel, 0)*a.pressurePerAccel[axle], 0)
		}
		if next == absFollow {
			w.LockPressure = 0
		}
		w.Phase, w.PhaseTime = next, 0
	}
	w.PressureStep = a.pressureStep(w, pressure, motion.slip/limit)
}

// pressureStep returns the largest change of the pressure in this tick [bar]. slip is a share of the limit.
// The pressure builds fast up to near the locking pressure, then slowly.
func (a *antilock) pressureStep(w *ABSWheel, pressure, slip float64) float64 {
	const (
		near     = 0.95 // share of the locking pressure up to which pressure builds fast
		slowRate = 1.4  // increase above that in each second, as a share of the locking pressure
		minRate  = 10   // [bar/s]
		lowSlip  = 0.65 // share of the limit below which pressure builds faster
		wait     = 0.03 // time after which the slip shows how much grip there is [s]
		patience = 0.15 // time after which pressure builds faster, because the road may have become better [s]
	)
	switch {
	case w.Phase == absRelease:
		return a.release
	case w.Phase != absBuild:
		return 0
	case pressure < near*w.LockPressure:
		return a.build
	}
	// late and early speed up the increase. Little slip soon after the wheel locked (early) shows that the wheel
	// has gained load since.
	late := w.PhaseTime / patience
	early := 0.0
	if w.PhaseTime >= wait {
		early = 20 * max(lowSlip-slip, 0)
	}
	return min((slowRate*w.LockPressure+minRate)*(1+late*late+early)*a.dt, a.build)
}

// yawMomentDelay limits the pressure of a front wheel while the other front wheel locks on a road with less
// grip, so that the driver has time to steer against the yaw moment. lateral is the accelerometer's reading
// to the left [m/s²]. A bend moves load to the outer wheel, which may have correspondingly more pressure.
func (a *antilock) yawMomentDelay(left, right *WheelState, want *[4]float64, lateral float64) {
	const maxShare = 0.6 // largest share of a wheel's load that a bend moves
	const similar = 1.5  // ratio of the locking pressures up to which both wheels have the same grip
	wheels := [2]*WheelState{left, right}
	outward := [2]float64{-lateral, lateral} // the lateral acceleration that increases the load of each wheel [m/s²]
	for i := range wheels {
		w, other := &wheels[i].ABS, &wheels[1-i].ABS
		transfer := min(max(a.loadTransfer*outward[i], 0), maxShare)
		loadRatio := (1 + transfer) / (1 - transfer) // ratio of this wheel's load to the other's, at least 1
		expected := loadRatio * other.LockPressure
		switch {
		case !other.IsActive() || w.LockPressure > 0 && w.LockPressure < similar*expected:
			w.MaxPressure = 0
			continue
		case w.MaxPressure == 0:
			w.MaxPressure = expected + a.yawDelayStart
		default:
			w.MaxPressure += a.yawDelay
		}
		if loadRatio > 1 {
			w.MaxPressure = max(w.MaxPressure, expected+a.yawDelayStart)
		}
		want[tire.FL+i] = min(want[tire.FL+i], w.MaxPressure)
	}
}

// nextPressure returns the pressure of a wheel after this tick [bar], given its present pressure and the
// demanded one [bar].
func (w *ABSWheel) nextPressure(pressure, wanted float64) float64 {
	switch w.Phase {
	case absRelease:
		return min(max(pressure-w.PressureStep, 0), wanted)
	case absHold:
		return min(pressure, wanted)
	case absBuild:
		return min(pressure+w.PressureStep, wanted)
	}
	return wanted
}

// pedalPulse moves s.PedalPulse by a tick: valves and pump make the pedal vibrate.
func (a *antilock) pedalPulse(s *State) {
	const lag, none = 0.05, 1e-3 // [s], [-]
	strength := [...]float64{absBuild: 0.5, absHold: 0.3, absRelease: 1}
	at := func(i int) float64 { return strength[s.Wheels[i].ABS.Phase] }
	sum := ((at(tire.FL) + at(tire.FR)) + (at(tire.RL) + at(tire.RR))) / 4
	s.PedalPulse += (sum - s.PedalPulse) * a.dt / (lag + a.dt)
	if sum == 0 && s.PedalPulse < none {
		s.PedalPulse = 0
	}
}
