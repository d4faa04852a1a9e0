package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
)

// cockpit holds the constants of what the driver operates.
type cockpit struct {
	dt           float64
	keySteer     *steering.Keyboard
	keyPedals    *assist.KeyPedals
	forwardGears int8    // number of forward gears that the driver can select
	bitePoint    float64 // clutch pedal position at which the clutch starts to grip, 0..1
}

// CockpitState is the state of what the driver operates.
type CockpitState struct {
	Rain   rain // level of rain set by the driver
	Paused bool // the driver has paused the drive

	keys        keys
	window      window // detects that the rig's window no longer shows pictures
	panel       panel
	tuner       tuner
	lever       gearSelector
	keyboard    keyboard // driving by keys, in a demo
	steer       float64  // steering wheel of a person [rad], kept while the wheel is away
	clutchPedal float64  // in the last tick, 0..1, without the effect of buttons
}

func newCockpit(p *sim.Params, dt float64) cockpit {
	return cockpit{
		dt: dt, keySteer: steering.NewKeyboard(p.Steering, p.Wheelbase), keyPedals: assist.NewKeyPedals(p.Assists.Pedals),
		forwardGears: int8(len(p.Driveline.Gears)), bitePoint: bitePoint(p.Driveline.Clutch),
	}
}

// bitePoint returns the clutch pedal position for a start, 0..1, at which the clutch transmits a quarter
// of its torque.
func bitePoint(c driveline.Clutch) float64 { return c.BitePoint - c.BiteWidth/4 }

// readKeys updates the keys that are down in the window and the buttons of the cockpit.
func (s *CockpitState) readKeys(in *Inputs, dt float64) {
	s.keys.step(s.window.keys(&in.Window, dt)|in.Buttons.Down, in.Buttons.Pressed)
}

// operate applies the keys that were pressed in this tick to panel, rain and pause, and the orders to the last. It returns
// who paused or resumed the drive, or Nobody.
func (s *CockpitState) operate(in *Operator, engineRuns, pauseEnds bool) guard.Origin {
	s.panel.step(s.keys.down, s.keys.justPressed, engineRuns, s.clutchPedal)
	s.Rain.step(s.keys.justPressed)
	return s.stepPause(in, pauseEnds)
}

// stepPause applies the pause key and the operator's orders, unless something ends each pause: a fault, a stop or an order
// to release.
func (s *CockpitState) stepPause(in *Operator, ends bool) guard.Origin {
	switch {
	case ends:
		s.Paused = false
	case s.keys.justPressed&frame.KeyPause != 0:
		s.Paused = !s.Paused
		return guard.ByDriver
	case in.PauseBy != guard.Nobody:
		s.Paused = true
		return in.PauseBy
	case in.ResumeBy != guard.Nobody:
		s.Paused = false
	}
	return guard.Nobody
}

// freeRimSpeed is how fast the steering returns to the center while no wheel is connected [rad/s].
const freeRimSpeed = 1.5

// humanInput returns the input of a person with wheel, pedals and buttons.
func (c *cockpit) humanInput(s *CockpitState, wheel *Wheel, pedals *Pedals, car *sim.State) sim.Input {
	to := sim.Input{Throttle: pedals.Throttle, Brake: pedals.Brake, Clutch: pedals.Clutch, Handbrake: pedals.Handbrake}
	if wheel.Present {
		s.steer = wheel.Angle
	} else {
		s.steer = approach(s.steer, 0, freeRimSpeed*c.dt)
		to.Throttle = 0 // nobody steers: the car coasts
	}
	to.Steer = s.steer
	gear, manual := s.lever.choose(&s.panel, car, c.forwardGears, pedals.ShiftUp || s.keys.isDown(frame.KeyGearUp), pedals.ShiftDown || s.keys.isDown(frame.KeyGearDown))
	if pedals.HasHPattern {
		gear, manual = pedals.Gear, true
	}
	to.Gear = gear
	s.panel.apply(&to, manual)
	if !pedals.Present {
		to.Assists.AutoClutch = true // so that the engine does not stall
	}
	return to
}

// modelInput returns the input of the driver model, or of the keyboard while its keys are in use. slip is that of the
// driven wheels.
func (c *cockpit) modelInput(s *CockpitState, model *sim.Input, car *sim.State, slip float64) sim.Input {
	to := *model
	s.keyboard.step(c, s.keys.down, car.Speed, slip)
	if s.keyboard.active() {
		to = c.keyboardInput(s, car)
	} else {
		s.lever = inDrive
		s.keyboard.follow(to.Steer, to.Throttle, to.Brake)
		s.panel.apply(&to, !to.Assists.AutoShift)
	}
	to.Assists.AutoClutch = true // because no key operates the clutch
	return to
}

// keyboardInput returns the input of the keyboard.
func (c *cockpit) keyboardInput(s *CockpitState, car *sim.State) sim.Input {
	k := &s.keyboard
	gear, manual := s.lever.choose(&s.panel, car, c.forwardGears, s.keys.isDown(frame.KeyGearUp), s.keys.isDown(frame.KeyGearDown))
	k.manual, k.launch = manual, s.panel.aids.Launch
	if !manual {
		gear = k.direction()
	}
	to := sim.Input{Steer: k.steer, Throttle: k.pedals.Throttle, Brake: k.pedals.Brake, Gear: gear}
	s.panel.apply(&to, manual)
	return to
}

// applyButtons adds the buttons for handbrake and clutch bite to the car's input.
func (c *cockpit) applyButtons(s *CockpitState, in *sim.Input) {
	s.clutchPedal = in.Clutch
	if s.keys.isDown(frame.KeyHandbrake) {
		in.Handbrake = 1
	}
	if s.keys.isDown(frame.KeyClutchBite) {
		in.Clutch = math.Max(in.Clutch, c.bitePoint)
	}
}

// armStiffness is the stiffness of a relaxed driver's arms at the rim [N·m/rad].
const armStiffness = 15

// hands returns the rim angle that the simulated driver's hands hold in the next tick, and their stiffness: that of the
// driver model, which steers to an angle [rad], or of the keyboard while its keys are in use.
func (s *CockpitState) hands(model float64) Hands {
	if s.keyboard.active() {
		return Hands{s.keyboard.steer, armStiffness}
	}
	return Hands{model, armStiffness}
}
