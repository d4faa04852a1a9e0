package rig

import (
	"math"
	"slices"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// happen lets troubles, quirks and keys begin, and what has begun go on.
func (w *world) happen(m *moment) {
	if w.now.state == guard.Driving {
		w.quiet--
	}
	ends := w.tick > w.end
	if w.quiet <= 0 && w.tick > w.calm && !ends {
		w.quiet = w.between(200, 700)
		w.begin(w.trouble())
	}
	if w.tick >= w.quirk && !ends {
		w.quirk = w.tick + w.between(100, 500)
		w.begin(w.odd[w.quirks.deal()])
	}
	if w.tick >= w.press && !ends {
		w.press = w.tick + w.between(60, 250)
		w.begin(w.touch())
	}
	for i := range w.events { // one that begins here begins with the next tick
		if e := &w.events[i]; w.tick >= e.from && w.tick < e.to {
			e.do(m, w.tick-e.from)
		}
	}
	w.events = slices.DeleteFunc(w.events, func(e event) bool { return w.tick >= e.to })
}

// trouble returns the next one.
func (w *world) trouble() kind {
	if w.tick > w.rough && w.rng.IntN(2) == 0 {
		return w.hard[w.mishaps.deal()]
	}
	return w.mild[w.troubles.deal()]
}

// touch presses the next key or button.
func (w *world) touch() kind {
	n := w.presses.deal()
	if n < len(windowKeys) {
		return kind{20, 120, func(m *moment, _ int) { m.keys |= windowKeys[n] }}
	}
	button := setOf(cockpit[n-len(windowKeys)])
	if w.rng.IntN(4) == 0 { // so short that it has ended by the tick
		return kind{2, 2, func(_ *moment, age int) {
			if age == 0 {
				w.taps |= button
			}
		}}
	}
	return kind{1, 120, func(m *moment, _ int) { m.buttons.Down |= button }}
}

// down holds a button.
func down(a wheel.Action) func(*moment, int) {
	return func(m *moment, _ int) { m.buttons.Down |= setOf(a) }
}

// typed holds a key in the window.
func typed(k uint64) func(*moment, int) { return func(m *moment, _ int) { m.keys |= k } }

// once does something in one tick.
func once(do func(m *moment)) kind {
	return kind{2, 2, func(m *moment, age int) {
		if age == 0 {
			do(m)
		}
	}}
}

// troubling are troubles that leave the car its speed.
func (w *world) troubling() []kind {
	relay := func(c estop.Cause) func(*moment, int) { return func(m *moment, _ int) { m.relay = c } }
	stop := kind{20, 200, func(m *moment, age int) {
		if age == 0 {
			w.causes.deal()
		}
		m.stop, m.relay = stopCauses[w.causes.order[w.causes.at-1]], estop.Opened
	}}
	return []kind{
		stop, stop, stop,
		{30, 200, typed(frame.KeyStop)}, {1, 100, down(wheel.Stop)}, {30, 300, func(m *moment, _ int) { m.halt = true }},
		{20, 200, relay(estop.RelayFailed)}, {20, 200, relay(estop.NotRenewed)}, {20, 200, relay(estop.NotSampled)}, {20, 100, relay(estop.Opened)},
		{30, 400, func(m *moment, _ int) { m.belt = estop.Opened }},
		{30, 300, func(m *moment, _ int) { m.buttons.Down &^= setOf(wheel.Interlock) }},
		{2, 60, func(m *moment, _ int) { m.hands.Fault = true }}, {2, 60, func(m *moment, _ int) { m.feet.fault = true }},
		{1200, 1200, func(m *moment, age int) { // a wheel that goes while its torque fades in
			m.halt = age < 50
			m.hands.Present = w.now.state != guard.Engaging
		}},
		once(func(m *moment) { m.late = 80 * time.Millisecond }),
		once(func(m *moment) { m.late = 1500 * time.Millisecond }),
		once(func(m *moment) { m.late = 30 * time.Millisecond; w.asleep += 3 * time.Second }),
		once(func(m *moment) { m.rated = math.NaN() }),
		{2150, 2400, func(m *moment, _ int) { m.picture = false }},
		{20, 60, typed(frame.KeyPause)}, {1, 60, down(wheel.Pause)},
		{200, 600, func(m *moment, _ int) { m.buttons.Down &^= setOf(wheel.DeadMan) }},
	}
}

// standingTroubles are those after which the car stands, or its engine does.
func standingTroubles() []kind {
	resting := func(f flawAt) kind { // no step takes it back
		return kind{700, 700, func(m *moment, age int) {
			if age < 20 {
				m.buttons.Down |= setOf(wheel.Pause)
			} else if age == 450 {
				m.flaw = f
			}
		}}
	}
	flaw := func(f flawAt) kind { return once(func(m *moment) { m.flaw = f }) }
	return []kind{
		flaw(flawForce), flaw(flawPlace), flaw(flawSpeed), resting(flawCueing), resting(flawFeel),
		once(func(m *moment) { m.hands.Angle = math.NaN() }),
		{20, 60, typed(frame.KeyReset)}, {1, 60, down(wheel.Reset)}, {20, 60, typed(frame.KeyEngineStartStop)},
	}
}

// harmless are the quirks, after which a drive goes on by itself.
func (w *world) harmless() []kind {
	pick := func(list []float64) float64 { return list[w.rng.IntN(len(list))] }
	platform := kind{30, 250, func(m *moment, age int) {
		if age == 0 {
			w.states.deal()
		}
		m.platform.State = motion.State(w.states.order[w.states.at-1])
		if m.platform.State == motion.Fault {
			m.platform.Faults = 1 << (w.states.at % 11)
			m.platform.Feedback[2], m.platform.Target[1] = math.NaN(), math.NaN()
		}
	}}
	return []kind{
		{30, 300, func(m *moment, _ int) { m.hands.Present, m.hands.Angle = false, 0 }},
		{30, 200, func(m *moment, _ int) { m.feet = feetSample{brake: 0.2} }},
		{10, 60, func(m *moment, _ int) { m.hands.Angle += 1.2 }}, {10, 60, func(m *moment, _ int) { m.hands.Angle -= 1.2 }},
		{100, 300, func(m *moment, _ int) { m.feet.throttle, m.feet.brake = 1, 0 }},
		{50, 250, func(m *moment, _ int) { m.feet.throttle, m.feet.brake = 0, 1 }},
		{20, 150, func(m *moment, _ int) { m.feet.clutch = 1 }}, {20, 100, func(m *moment, _ int) { m.feet.handbrake = 0.8 }},
		{20, 50, func(m *moment, _ int) { m.feet.up = true }}, {20, 50, func(m *moment, _ int) { m.feet.down = true }},
		{200, 600, func(m *moment, _ int) {
			m.feet.gate, m.feet.gear = true, int8(min(max(w.now.car.Speed/8, 0), 4))+1
		}},
		platform, platform, platform,
		once(func(*moment) { w.force.rated = pick(noTorque[:]); w.ramp = min(w.ramp, w.force.rated) }),
		once(func(*moment) { w.force.rated = pick(noTorque[:]); w.ramp = 0 }),
		once(func(*moment) {
			w.force.room, w.force.part, w.force.own = pick(noRoom[:]), w.rng.Float64(), w.rng.Float64()
		}),
		once(func(*moment) { w.force.rate, w.force.delay = pick([]float64{0, 60, 250, 1000}), 0.02*w.rng.Float64() }),
		once(func(m *moment) { m.fits, m.preset = true, presets[w.rng.IntN(len(presets))] }),
		once(func(m *moment) { m.late = 30 * time.Millisecond }), once(func(m *moment) { m.held = 25 * time.Millisecond }),
		{3, 30, func(m *moment, age int) { // a wake-up too late, and ticks that catch up
			m.woken = age == 0
			m.late = 8 * time.Millisecond
		}},
		{300, 1500, func(m *moment, _ int) { m.picture = false }},
		{2, 60, func(m *moment, _ int) { m.measured[frame.Roll] = math.NaN() }},
	}
}
