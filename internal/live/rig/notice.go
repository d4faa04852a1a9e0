package rig

import (
	"cmp"
	"fmt"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/tunings"
)

// notice returns the most important message for the driver, or "".
func (d *deviceSet) notice(f *frame.Frame) string {
	switch {
	case f.State == uint64(guard.Fault):
		return d.faultNotice(f)
	case f.State == uint64(guard.Stopped) && d.stopPressed():
		return "STOPPED: " + d.stopText() + "; " + d.interruptedText(f) + "; release the switch, then " + confirmText(f)
	case f.State == uint64(guard.Stopped):
		return "STOPPED" + orderedBy(f) + ": " + d.interruptedText(f) + "; to go on " + confirmText(f)
	case f.Flags&frame.ConfirmInterlock != 0:
		return d.interlockText(f)
	case f.Flags&frame.ConfirmAfterGap != 0:
		return "STOOD STILL: the program stalled or the computer was suspended; " + d.interruptedText(f) + "; check that everybody is seated, then " + confirmText(f)
	case f.Flags&frame.ConfirmWindowLost != 0:
		return "WINDOW LOST: " + d.interruptedText(f) + "; once the window is back " + confirmText(f) + "; without one, end the drive: Ctrl-C"
	case f.Flags&frame.Paused != 0:
		return d.pausedText(f)
	case f.Motion.Faults != 0:
		return platformFaultText(f)
	case f.Flags&frame.ConfirmPlatform != 0:
		return d.platformWaitsText(f)
	case f.Flags&(frame.DeadManReleased|frame.HandsOff) != 0:
		return torqueOffText(f)
	case f.Follow.On == 1:
		return d.followNotice(f)
	case d.wheel != nil && f.Flags&frame.WheelPresent == 0:
		return cmp.Or(d.wheel.Status().Problem, "wheel: not connected; plug it in"+ifMoving(f, ", the car coasts"))
	case d.pedals != nil && f.Flags&frame.PedalsPresent == 0:
		return cmp.Or(d.unusablePedal(), d.pedals.Status().Problem, "pedals: not connected; plug them in"+ifMoving(f, ", braking gently"))
	case d.wheelNotice() != "":
		return d.wheelNotice()
	case f.Flags&frame.EngineRunning == 0 && guard.State(f.State).Moves():
		return d.engineText(f)
	case !d.simulated && d.platform != nil && !motion.State(f.Motion.State).Follows():
		return fmt.Sprintf("platform %s on %s%s", d.platform.Status().State, d.motion.Port, ifMoving(f, "; driving without motion"))
	case f.Flags&frame.TorqueLimited != 0 && f.State == uint64(guard.Engaging):
		return guard.TorqueLimitText
	case f.Flags&frame.TuningChanged != 0:
		return motionGainText(f)
	}
	if text := cmp.Or(d.sensorNotice(), d.unusablePedal()); text != "" || !d.real {
		return text
	}
	return "MOVES BY ITSELF: any key or button is an emergency stop"
}

// stopPressed reports whether the emergency stop's switch stops the rig now.
func (d *deviceSet) stopPressed() bool {
	if d.switches.Stop == nil {
		return false
	}
	stopped, _ := d.switches.Stop.State()
	return stopped
}

func (d *deviceSet) stopText() string {
	_, cause := d.switches.Stop.State()
	return cause.String()
}

// engineText says how to start the engine.
func (d *deviceSet) engineText(f *frame.Frame) string {
	const empty = 1e-4 // fraction of the capacity; an electric motor stops a little above 0
	switch {
	case f.Charge < empty:
		return "engine stopped: the tank or battery is empty; press " + keyOrButton(f, "R", "reset") + " to stand here with a full one"
	case d.real, f.Pictures == 0 && d.demo:
		return "engine stopped"
	case d.demo:
		return "engine stopped: hold I in the window to start it"
	case f.Pictures == 0:
		return "engine stopped: press the clutch pedal to the floor"
	}
	return "engine stopped: press the clutch pedal to the floor, or hold I in the window"
}

// wheelNotice says why a connected wheel gives no force, or "".
func (d *deviceSet) wheelNotice() string {
	if d.wheel == nil {
		return ""
	}
	if text := d.wheel.Status().NoForce; text != "" {
		return "wheel: " + text
	}
	return ""
}

// sensorNotice reports an implausible sensor, or "".
func (d *deviceSet) sensorNotice() string {
	if d.wheel != nil {
		if text := d.wheel.Status().Sensor; text != "" {
			return "wheel: " + text
		}
	}
	if d.pedals != nil {
		if text := d.pedals.Status().Sensor; text != "" {
			return "pedals: " + text
		}
	}
	return ""
}

// unusablePedal says why a pedal or lever that is connected does not count, or "".
func (d *deviceSet) unusablePedal() string {
	if d.pedals == nil {
		return ""
	}
	if text := d.pedals.Status().Unusable; text != "" {
		return "pedals: " + text
	}
	return ""
}

// faultNotice reports a fault, its sensor if one caused it, and how to continue.
func (d *deviceSet) faultNotice(f *frame.Frame) string {
	rest := d.interruptedText(f) + "; once the cause has ended " + confirmText(f)
	cause := d.sensorNotice()
	if d.rimStuck != nil && d.rimStuck() {
		cause = rimStuckText
	}
	if cause != "" {
		return "FAULT: " + cause + "; " + rest
	}
	return "FAULT: " + rest
}

// platformFaultText reports the platform's faults and what to do.
func platformFaultText(f *frame.Frame) string {
	faults := wire.Faults(f.Motion.Faults)
	text := "PLATFORM: " + faults.String() + "; " + faults.Remedy()
	if faults&wire.Latching != 0 {
		text += "; then " + confirmText(f)
	}
	return text
}

// motionGainText shows the factor that was changed last, and in a window the keys that change it.
func motionGainText(f *frame.Frame) string {
	if f.Flags&frame.MotionOff != 0 {
		return "motion off: J or the button for motion_on switches it on"
	}
	i := int(min(f.Motion.TuningIndex, frame.MaxTunings-1))
	all, keys, more := 100*f.Motion.Tuning[0], "", ""
	if f.Pictures > 0 {
		keys, more = " (keys [ and ])", " (keys , and .; K for the next)"
	}
	if i == 0 {
		return fmt.Sprintf("motion %.0f %%%s", all, keys)
	}
	return fmt.Sprintf("motion %.0f %%%s, %s %.0f %%%s", all, keys, frame.Name(tunings.Keys[:], uint64(i)), 100*f.Motion.Tuning[i], more)
}

// torqueOffText says what the driver must do to get torque and motion.
func torqueOffText(f *frame.Frame) string {
	if f.Flags&frame.DeadManReleased != 0 {
		return "DEAD MAN: no torque, no motion; hold " + keyOrButton(f, "B", "dead_man")
	}
	return "HANDS OFF: no torque because nobody holds the rim; hold it"
}

// interlockText says why nothing moves while a belt or a door is or was open.
func (d *deviceSet) interlockText(f *frame.Frame) string {
	if f.Flags&frame.InterlockOpen == 0 {
		return "BELT, DOOR: closed again; to go on " + confirmText(f)
	}
	reason := "open, or nobody holds the button for interlock"
	if d.switches.Interlock.Line != nil {
		if open, cause := d.switches.Interlock.Line.State(); open {
			reason = cause.InterlockText()
		}
	}
	return fmt.Sprintf("BELT, DOOR: %s; %s; close it, then %s", reason, d.interruptedText(f), confirmText(f))
}
