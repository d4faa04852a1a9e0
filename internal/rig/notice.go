package rig

import (
	"cmp"
	"fmt"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/watch"
)

// notice is what the driver must be told now, or nothing.
func (d *deviceSet) notice(f *frame.Frame) string {
	switch {
	case f.State == uint64(guard.Fault):
		return d.faultNotice(f)
	case f.State == uint64(guard.Stopped) && d.pressed():
		return "STOPPED: " + d.stopText() + "; " + d.rests(f) + "; release the switch, then " + confirmBy(f)
	case f.State == uint64(guard.Stopped):
		return "STOPPED: " + d.rests(f) + "; to go on " + confirmBy(f)
	case f.Flags&frame.Unbelted != 0:
		return d.unbelted(f)
	case f.Flags&frame.Away != 0:
		return "STOOD STILL: the rig was stopped or the machine slept; " + d.rests(f) + "; see that all are seated, then " + confirmBy(f)
	case f.Flags&frame.Blind != 0:
		return "WINDOW LOST: " + d.rests(f) + "; once the window is back " + confirmBy(f) + "; without one, end the drive: Ctrl-C"
	case f.Flags&frame.Paused != 0:
		return d.paused(f)
	case f.Motion.Faults != 0:
		return faultText(f)
	case f.Flags&(frame.LetGo|frame.HandsOff) != 0:
		return withheld(f)
	case !d.demo && f.Flags&frame.WheelPresent == 0:
		return cmp.Or(d.wheel.Status().Problem, "wheel: gone; plug it in"+whileMoving(f, ", the car coasts"))
	case !d.demo && f.Flags&frame.PedalsPresent == 0:
		return cmp.Or(d.pedals.Status().Problem, "pedals: gone; plug them in"+whileMoving(f, ", braking gently"))
	case d.wheelNotice() != "":
		return d.wheelNotice()
	case f.Flags&frame.EngineRuns == 0 && guard.State(f.State).Moves():
		return d.standing(f)
	case !d.demo && d.platform != nil && !motion.State(f.Motion.State).Follows():
		return fmt.Sprintf("platform %s on %s%s", d.platform.Status().State, d.motion.Port, whileMoving(f, "; driving without motion"))
	case f.Flags&frame.TorqueHeld != 0 && f.State == uint64(guard.Engaging):
		return watch.HeldTorque
	case f.Flags&frame.TuningTold != 0:
		return tunedText(f)
	}
	return d.sensorNotice()
}

// pressed reports whether the emergency stop's switch stops the rig now.
func (d *deviceSet) pressed() bool {
	if d.estop == nil {
		return false
	}
	stopped, _ := d.estop.State()
	return stopped
}

func (d *deviceSet) stopText() string {
	_, cause := d.estop.State()
	return cause.String()
}

// standing tells how an engine that does not run is started.
func (d *deviceSet) standing(f *frame.Frame) string {
	const empty = 1e-4 // a motor stops before the last joule
	switch {
	case f.Charge < empty:
		return "engine stopped: the tank or battery is empty; press " + byKey(f, "R", "reset") + " to stand here with a full one"
	case f.Pictures == 0 && d.demo:
		return "engine stopped"
	case d.demo:
		return "engine stopped: hold I in the window to start it"
	case f.Pictures == 0:
		return "engine stopped: press the clutch pedal to the floor"
	}
	return "engine stopped: press the clutch pedal to the floor, or hold I in the window"
}

// wheelNotice is what the driver must know of the force of a wheel that is there, or nothing.
func (d *deviceSet) wheelNotice() string {
	if d.demo || d.wheel == nil {
		return ""
	}
	if text := d.wheel.Status().NoForce; text != "" {
		return "wheel: " + text
	}
	return ""
}

// sensorNotice tells of a sensor that does what no hand and no foot can do, or nothing.
func (d *deviceSet) sensorNotice() string {
	if d.demo || d.wheel == nil {
		return ""
	}
	if text := d.wheel.Status().Sensor; text != "" {
		return "wheel: " + text
	}
	if text := d.pedals.Status().Sensor; text != "" {
		return "pedals: " + text
	}
	return ""
}

// faultNotice tells of a fault, its cause if a sensor is that, and how to go on.
func (d *deviceSet) faultNotice(f *frame.Frame) string {
	rest := d.rests(f) + "; once the cause has ended " + confirmBy(f)
	if cause := d.sensorNotice(); cause != "" {
		return "FAULT: " + cause + "; " + rest
	}
	return "FAULT: " + rest
}

// faultText tells the driver of a platform's faults and what to do.
func faultText(f *frame.Frame) string {
	faults := wire.Faults(f.Motion.Faults)
	text := "PLATFORM: " + faults.String() + "; " + watch.RemedyOf(faults)
	if faults&watch.Stopping != 0 {
		text += "; then " + confirmBy(f)
	}
	return text
}

// tunedText tells of the factor that was changed last.
func tunedText(f *frame.Frame) string {
	if f.Flags&frame.MotionOff != 0 {
		return "motion off: J or the button for motion_on switches it on"
	}
	i := int(min(f.Motion.Chosen, frame.MaxTunings-1))
	return fmt.Sprintf("motion %.0f %%, %s %.0f %%", 100*f.Motion.Tuning[0], watch.TuningName(i), 100*f.Motion.Tuning[i])
}

// withheld tells what the driver must do to feel anything.
func withheld(f *frame.Frame) string {
	if f.Flags&frame.LetGo != 0 {
		return "DEAD MAN: no torque, no motion; hold " + byKey(f, "B", "dead_man")
	}
	return "HANDS OFF: no torque, for nobody holds the rim; take it"
}

// unbelted tells why nothing moves while a belt or a door is, or was, open.
func (d *deviceSet) unbelted(f *frame.Frame) string {
	if f.Flags&frame.BeltOpen == 0 {
		return "BELT, DOOR: closed again; to go on " + confirmBy(f)
	}
	why := "open, or nobody holds the button for interlock"
	if d.belt != nil {
		if open, cause := d.belt.State(); open {
			why = cause.Interlocked()
		}
	}
	return fmt.Sprintf("BELT, DOOR: %s; %s; close it, then %s", why, d.rests(f), confirmBy(f))
}
