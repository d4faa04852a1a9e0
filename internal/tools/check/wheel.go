package check

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/usbserial"
	"rig.example/rig/internal/live/machine"
)

// checkWheel checks the wheel: its driver, its kernel, who else uses it, its power and its calibration.
func (s *scene) checkWheel() {
	withoutDriver := machine.CheckWheelDrivers(s.root, s.kernel, s.add)
	if s.wheelErr != nil {
		s.add("wheel", "wheel", s.wheelErr.Error(), "see `rig devices`; `rig run` waits for one, `rig run --demo` needs none")
		return
	}
	folder, _ := evdev.USBFolder(evdev.DeviceFolder(s.sysfs(), s.wheel.Path))
	if why := wheel.NoForce(s.wheel); why != "" && !slices.Contains(withoutDriver, folder) {
		s.add("wheel-force", "wheel", s.wheel.Name+": "+why, "see docs/wheels.md")
	}
	c := s.cfg.Wheel
	machine.CheckKernel(s.kernel, s.wheel, c.Spring+c.Damper+c.Friction+c.Vibration > 0, s.add)
	s.checkHolders("wheel", s.wheel.Path)
	if raw := evdev.HIDRaw(s.sysfs(), s.wheel.Path); raw != "" {
		s.checkHolders("wheel", raw)
	}
	s.checkSuspend(s.wheel, "wheel")
	s.checkWheelProfile()
}

// desktopPrograms open every input device and play no forces.
var desktopPrograms = []string{"systemd-logind", "Xorg", "Xwayland", "gnome-shell", "kwin_wayland", "kwin_x11", "mutter", "sway", "weston", "labwc", "wayfire", "Hyprland", "acpid"}

// checkHolders reports other programs that have a node of the wheel open. One that may write can play forces
// beside rig's; a raw node is opened for nothing else.
func (s *scene) checkHolders(part, node string) {
	for _, p := range evdev.ProgramsUsing(s.root, node) {
		switch {
		case slices.Contains(desktopPrograms, p.Name):
		case isRig(p):
			s.addRunning(part, node, p)
		case p.Writes || strings.HasPrefix(node, "/dev/hidraw"):
			s.add("wheel-shared", part, fmt.Sprintf("%s has %s open and may play forces of its own", p, node), endProgram(p))
		default:
			s.add("wheel-read", part, fmt.Sprintf("%s reads %s", p, node), "it does no harm unless it grabs the wheel: close it if the wheel does not answer")
		}
	}
}

// isRig reports whether a program is rig, with or without the window.
func isRig(p evdev.Program) bool { return p.Name == "rig" || p.Name == "rig-headless" }

// addRunning adds a finding about a running rig.
func (s *scene) addRunning(part, node string, p evdev.Program) {
	s.add("running", part, fmt.Sprintf("%s has %s open: a rig is running", p, node), "end that drive before you start another")
}

// endProgram returns how to end a program.
func endProgram(p evdev.Program) string {
	if p.Name == "ModemManager" {
		return "stop it: `sudo systemctl stop ModemManager`"
	}
	return fmt.Sprintf("close it, or end it: `kill %d`", p.PID)
}

// checkLine checks the serial line of the controller.
func (s *scene) checkLine() {
	port := s.cfg.Motion.Port
	if s.cfg.Motion.Protocol == "" {
		return
	}
	if allowed := checkPort(port, s.add); !allowed && !s.denied["dialout"] {
		s.add("port-access", "platform", port+": permission denied", "see who may open it: `ls -lL "+port+"`")
	}
	s.checkLineHolders(port)
	if folder, ok := usbserial.Folder(s.root, port); ok {
		machine.CheckAutosuspend(folder, "platform", s.add)
	}
}

// checkLineHolders reports other programs that have the controller's line open: two that write to it would move the
// platform to two places.
func (s *scene) checkLineHolders(port string) {
	for _, p := range evdev.ProgramsUsing(s.root, realPath(port)) {
		if isRig(p) {
			s.addRunning("platform", port, p)
			continue
		}
		s.add("line-shared", "platform", fmt.Sprintf("%s has %s open", p, port), endProgram(p))
	}
}

// realPath returns the file to which a path, such as a stable name of a port, leads.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// checkWheelProfile reports a calibration that no longer fits the wheel, or a missing one that the wheel needs.
func (s *scene) checkWheelProfile() {
	if s.storeErr != nil {
		return
	}
	p, err := s.store.Wheel(calib.IdentityOf(s.wheel))
	m, known := wheel.LookupModel(s.wheel.Vendor, s.wheel.Product)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.wheel.HasForce() && (!known || m.Quirks.Has(wheel.SignVaries)):
		s.add("uncalibrated", "wheel", s.wheel.Name+" is not calibrated, and the direction of its force is not known: at most 1 N·m", "calibrate it: `rig calibrate wheel`")
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.add("profile", "wheel", err.Error(), "measure it again: `rig calibrate wheel`")
	default:
		s.compareWheel(p)
	}
}

// compareWheel compares the profile with what the wheel says without being moved.
func (s *scene) compareWheel(p calib.WheelProfile) {
	const measure = "measure it again: `rig calibrate wheel`"
	if text := p.Device.Changed(s.wheel); text != "" {
		s.add("wheel-firmware", "wheel", text, measure)
	}
	code, err := evdev.AbsCode(p.Axis)
	axis, ok := s.wheel.Axis(code)
	if err != nil || !ok {
		s.add("wheel-range", "wheel", "it has no axis "+p.Axis+", which its calibration names", measure)
		return
	}
	const beyond = 0.02 // share of the rotation
	low, high := min(p.Left, p.Right), max(p.Left, p.Right)
	slack := int32(beyond * float64(int64(high)-int64(low)))
	switch reported := axis.Value != 0; { // 0: it may not have reported yet
	case low < axis.Min-slack || high > axis.Max+slack:
		s.add("wheel-range", "wheel", fmt.Sprintf("it reports %d to %d, and was calibrated from %d to %d", axis.Min, axis.Max, low, high), measure)
	case reported && (axis.Value < low-slack || axis.Value > high+slack):
		s.add("wheel-range", "wheel", fmt.Sprintf("it stands at %d, beyond the locks %d and %d of its calibration", axis.Value, p.Left, p.Right), measure)
	case reported:
		s.compareCenter(p, axis.Value)
	}
}

// compareCenter reports a rim that its own centering spring holds beside the calibrated center. Without the spring a
// rim may stand anywhere.
func (s *scene) compareCenter(p calib.WheelProfile, value int32) {
	const limit = 5 // [deg], more than the spring of a wheel with gears leaves
	spring, _ := evdev.Attr(evdev.DeviceFolder(s.sysfs(), s.wheel.Path), "autocenter")
	angle := p.Angle(value) * degreesPerRadian
	if spring == "" || spring == "0" || angle >= -limit && angle <= limit {
		return
	}
	s.add("wheel-center", "wheel", fmt.Sprintf("its centering spring holds it %s the calibrated center", angleText(angle)), "if it stands straight, measure it again: `rig calibrate wheel`")
}

// angleText returns an angle of the rim [deg] in words.
func angleText(angle float64) string {
	if angle < 0 {
		return fmt.Sprintf("%.0f° right of", -angle)
	}
	return fmt.Sprintf("%.0f° left of", angle)
}

// checkPedalsProfile reports pedals that do not stand where their calibration has them released.
func (s *scene) checkPedalsProfile() {
	p, err := s.store.Pedals(calib.IdentityOf(s.pedals))
	const measure = "measure them again: `rig calibrate pedals`"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.add("pedals-uncalibrated", "pedals", "they were never calibrated, so which end of each is the released one is not measured", "measure them: `rig calibrate pedals`")
		return
	case err != nil:
		s.add("profile", "pedals", err.Error(), measure)
		return
	}
	if text := p.Device.Changed(s.pedals); text != "" {
		s.add("pedals-firmware", "pedals", text, measure)
	}
	for i, a := range p.Axes() {
		if a != nil {
			s.comparePedal(calib.PedalNames[i], a)
		}
	}
}

// comparePedal compares a pedal with its profile.
func (s *scene) comparePedal(name string, a *calib.Axis) {
	code, err := evdev.AbsCode(a.Code)
	axis, ok := s.pedals.Axis(code)
	if err != nil || !ok || axis.Value == 0 { // 0: it may not have reported yet
		return
	}
	const beyond, reversed = 0.10, 0.90 // shares of the travel
	travel := (float64(axis.Value) - float64(a.Rest)) / (float64(a.Press) - float64(a.Rest))
	switch {
	case travel < -beyond:
		s.add("pedal-range", "pedals", fmt.Sprintf("the %s stands at %d, beyond %d where it was calibrated as released", name, axis.Value, a.Rest), "measure them again: `rig calibrate pedals`")
	case a.Value(axis.Value) >= reversed:
		s.add("pedal-reversed", "pedals", fmt.Sprintf("the %s stands at %d, where it was calibrated as pressed", name, axis.Value), "if no foot is on it, its driver or firmware counts the other way now: `rig calibrate pedals`")
	case a.Value(axis.Value) > beyond:
		s.add("pedal-pressed", "pedals", fmt.Sprintf("the %s stands at %.0f %%", name, 100*a.Value(axis.Value)), "if no foot is on it, measure them again: `rig calibrate pedals`")
	}
}
