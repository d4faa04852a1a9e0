package rig

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/printable"
)

// Real says which devices of a demo are real, and move by themselves. The zero value is none.
type Real struct {
	Platform        bool
	Wheel           bool
	IgnoreInterlock bool // the switches of belt and door are not checked
}

// RealMaxTorque is the highest torque with which a driver model turns a real rim [N·m].
const RealMaxTorque = drive.ServoMaxTorque

// Any reports whether anything real moves.
func (r Real) Any() bool { return r.Platform || r.Wheel }

// String returns platform, wheel or all, or "" if nothing real moves.
func (r Real) String() string {
	switch {
	case r.Platform && r.Wheel:
		return "all"
	case r.Platform:
		return "platform"
	case r.Wheel:
		return "wheel"
	}
	return ""
}

// realDemo opens the switches and buttons of a demo that moves real devices, and its real wheel. Every key and
// button is an emergency stop then, and the time without a step counts, as with a person.
func (d *deviceSet) realDemo(r *Rig, o *Options) (err error) {
	cfg := &o.Config
	r.demo, r.drive.Setup.AnyKeyStops = false, true
	if err := d.useSwitches(r, *cfg, o.Real.IgnoreInterlock); err != nil {
		return err
	}
	if o.Real.Wheel {
		d.wheelName, err = d.turnWheel(r, *cfg)
	}
	return err
}

// turnWheel lets the driver model turn the real wheel, and returns its name. The wheel has no effects of its own
// then, and limits the torque by itself too.
func (d *deviceSet) turnWheel(r *Rig, cfg config.Config) (name string, err error) {
	store, err := cfg.ProfileStore()
	if err != nil {
		return "", err
	}
	nodes, err := evdev.List()
	if err != nil {
		return "", err
	}
	info, err := wheel.Choose(nodes, cfg.Wheel.Device)
	if err != nil {
		return "", err
	}
	if err := wheel.CheckMeasured(cfg.Wheel, info, store); err != nil {
		return "", err
	}
	w := cfg.Wheel
	w.MaxTorque = min(w.MaxTorque, drive.ServoMaxTorque)
	w.Spring, w.Damper, w.Friction, w.Vibration = 0, 0, 0, 0
	d.wheel = wheel.New(w, store, d.log)
	d.wheel.MeasuredOnly()
	r.wheel, r.rim = d.wheel, nil
	r.drive.UseRimServo()
	return info.Name, nil
}

// confirmReal tells the operator what will move by itself, and returns an error unless the operator agrees.
func (o *Options) confirmReal(r *Rig, d *deviceSet) error {
	if !o.Real.Any() {
		return nil
	}
	if o.Confirm == nil {
		return errors.New("nothing was moved, because nobody was asked")
	}
	return o.Confirm(o.realText(r, d))
}

// realText returns what will move by itself, its limits, who must stay away, and how to stop it.
func (o *Options) realText(r *Rig, d *deviceSet) string {
	var b strings.Builder
	say := func(format string, args ...any) { b.WriteString(printable.Sprintf(format, args...) + "\n") }
	length := "until you end it"
	if o.Duration > 0 {
		length = "for " + o.Duration.String()
	}
	say("A driver model will drive on the real rig %s. It moves by itself:", length)
	if o.Real.Platform {
		say("- the %s", platformLimits(o.Config, r.drive.Setup.Platform.Axes()))
	}
	if o.Real.Wheel {
		say("- the rim of %s turns by itself, with at most %d N·m. Hands off the rim.", d.wheelName, drive.ServoMaxTorque)
	}
	say("Nobody may be on the seat, and nobody and nothing in reach of what moves. %s", o.interlockRule(r))
	stops := "Enter in this terminal, any key in the window, any button of the cockpit, SIGUSR2 (`pkill -USR2 -x 'rig(-headless)?'`)"
	if d.switches.Stop != nil {
		stops += ", or the stop switch"
	}
	say("Emergency stop: %s. Ctrl-C fades out and parks.", stops)
	say("This is software and no safety function: keep a switch that cuts the power within reach.")
	return b.String()
}

// interlockRule says what the switches of belt and door must be.
func (o *Options) interlockRule(r *Rig) string {
	switch {
	case o.Real.IgnoreInterlock:
		return "The belt and door switches are ignored."
	case r.hasInterlock():
		return "The belt or door switch must be closed: shut the door, fasten the belt on the empty seat, or give --ignore-interlock where nobody can be in the way."
	}
	return "No belt or door switch is configured."
}

// platformLimits returns what the configured platform does, and its limits.
func platformLimits(cfg config.Config, axes int) string {
	m := cfg.Motion
	text := fmt.Sprintf("%s platform on %s homes, moves each actuator between %s and %s, at up to %g strokes/s and %g strokes/s², and parks.",
		m.Protocol, printable.Line(m.Port), motion.StrokePercent(m.MinPosition[:axes]), motion.StrokePercent(m.MaxPosition[:axes]),
		slices.Max(m.MaxSpeed[:axes]), slices.Max(m.MaxAccel[:axes]))
	if plan, err := m.Plan(); err == nil && plan.NoFeedback {
		text += fmt.Sprintf(" It does not report the positions of its actuators: they are assumed to be at %s (motion.start_share).", motion.StrokePercent(plan.Start[:plan.Axes]))
	}
	return text
}
