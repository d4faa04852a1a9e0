// Package config nests the configuration of every package in one TOML file,
// and reads it strictly: an unknown key, a wrong type or a value out of range
// is an error with its line and column.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/calib"
	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/loop"
	"rig.example/rig/internal/rt"
	"rig.example/rig/sim/tire"
)

// Config is all that a rig is told before it starts.
type Config struct {
	Car      string `toml:"car"`          // a built-in car or a file
	Track    string `toml:"track"`        // a built-in circuit or a file
	Platform string `toml:"platform"`     // a built-in motion platform or a file, below the tables geometry, cueing, tuning and motion
	Surface  string `toml:"surface"`      // what the whole circuit is made of, or its weather
	Profiles string `toml:"profiles_dir"` // calibration profiles; empty: the user's own folder

	Loop     loop.Config     `toml:"loop"`
	Realtime rt.Config       `toml:"realtime"`
	Guard    guard.Config    `toml:"guard"`
	Wheel    wheel.Config    `toml:"wheel"`
	Buttons  wheel.Buttons   `toml:"buttons"`
	Pedals   pedals.Config   `toml:"pedals"`
	Estop    estop.Config    `toml:"estop"`
	Assists  Assists         `toml:"assists"`
	FFB      ffb.Config      `toml:"ffb"`
	Cueing   cueing.Config   `toml:"cueing"`
	Geometry cueing.Geometry `toml:"geometry"`
	Tuning   Tuning          `toml:"tuning"`
	Motion   motion.Config   `toml:"motion"`
	Display  Display         `toml:"display"`

	file string // that it was read from, or ""
	text []byte // of that file
}

// Display is the window.
type Display struct {
	Window bool   `toml:"window"`
	Width  int    `toml:"width_px"`
	Height int    `toml:"height_px"`
	Camera string `toml:"camera"` // chase or cockpit
}

// Default is a rig that works without any file.
func Default() Config {
	return Config{
		Car: "coupe", Track: "club", Surface: "dry",
		Loop: loop.DefaultConfig(), Realtime: rt.DefaultConfig(), Guard: guard.DefaultConfig(),
		Wheel: wheel.DefaultConfig(), Buttons: wheel.DefaultButtons(), Estop: estop.DefaultConfig(), Pedals: pedals.DefaultConfig(), Assists: DefaultAssists(), FFB: ffb.DefaultConfig(),
		Cueing: cueing.DefaultConfig(), Geometry: cueing.DefaultGeometry(), Tuning: DefaultTuning(), Motion: motion.DefaultConfig(),
		Display: Display{Window: true, Width: 1280, Height: 720, Camera: "chase"},
	}
}

// ProfileStore returns the folder that keeps the calibration profiles. It is an error where
// none is named and the user has no folder of their own.
func (c *Config) ProfileStore() (calib.Store, error) {
	if c.Profiles != "" {
		return calib.Store{Dir: c.Profiles}, nil
	}
	return calib.DefaultStore()
}

// Validate reports every field that is out of range, whichever package owns it.
func (c *Config) Validate() error {
	return errors.Join(c.validateSurface(), c.validateLines(), c.validatePose(), c.validateActuators(),
		section("loop", c.Loop), section("realtime", c.Realtime), section("guard", c.Guard), section("wheel", c.Wheel),
		section("buttons", c.Buttons), section("estop", c.Estop),
		section("pedals", c.Pedals), section("assists", c.Assists), section("ffb", c.FFB), section("cueing", c.Cueing), section("geometry", c.Geometry), section("tuning", c.Tuning),
		section("motion", c.Motion), section("display", c.Display))
}

func (c *Config) validateSurface() error {
	if _, err := tire.SurfaceNamed(c.Surface); err != nil {
		return fmt.Errorf("surface = %q is not known; choose %s", c.Surface, strings.Join(tire.SurfaceNames(), ", "))
	}
	return nil
}

// validateLines refuses a GPIO line that a load cell and the stop switch, its
// relay or the interlock share: the kernel gives it to one of them.
func (c *Config) validateLines() error {
	for i, a := range c.Pedals.ADC {
		for _, line := range []string{a.Clock, a.Data} {
			if line != "" && slices.Contains([]string{c.Estop.Pin, c.Estop.SecondPin, c.Estop.Relay, c.Estop.Interlock}, line) {
				return fmt.Errorf("pedals: adc %d: clock_line or data_line is %s, which estop has; give each its own", i+1, line)
			}
		}
	}
	return nil
}

// validatePose refuses legs for a controller that takes poses, and poses for one that takes
// legs: it would take the one for the other. One that brings its geometry needs no other.
func (c *Config) validatePose() error {
	posed := c.Geometry.Kind == cueing.KindPose
	if c.Motion.Protocol == "" || posed == c.Motion.TakesPose() || c.Motion.Protocol == motion.ProtocolMotion4Sim && c.Motion.TakesPose() {
		return nil
	}
	if posed {
		return fmt.Errorf("geometry: kind = %q, but the controller of motion.protocol takes legs; set geometry.kind to how the platform is built, or motion.template.takes", c.Geometry.Kind)
	}
	return fmt.Errorf("geometry: kind = %q, but the controller of motion.preset or motion.template takes poses; set geometry.kind = %q, and [geometry.pose]", c.Geometry.Kind, cueing.KindPose)
}

// validateActuators refuses a controller that moves fewer actuators than the platform has, of
// which some would never move, and one that moves more: nobody knows what those hold.
func (c *Config) validateActuators() error {
	if c.Motion.Protocol == "" || c.validatePose() != nil || c.Motion.Protocol == motion.ProtocolMotion4Sim && c.Motion.TakesPose() {
		return nil
	}
	form, err := cueing.NewPlatform(c.Geometry, cueing.WholeStroke())
	n, key, spare, wrong := c.Motion.Named()
	if err != nil || wrong != nil {
		return nil // said by the table itself
	}
	names := form.Names()
	least := len(names)
	if c.Geometry.Kind == cueing.KindPose {
		least = needed(c.Geometry, least)
	}
	if n >= least && (n <= len(names) || spare) {
		return nil
	}
	remedy := "set it to what is there, or correct [geometry]"
	switch {
	case spare:
		remedy = "take another controller in motion.protocol, or another geometry.kind"
	case key == "template.output":
		remedy = "name one axis for each actuator, or correct [geometry]; for numbers that the controller wants and nothing moves set template.actuators"
	}
	return fmt.Errorf("motion: %s: moves %d axes and the geometry has %d actuators (%s); %s", key, n, len(names), strings.Join(names, ", "), remedy)
}

// needed is how many of the axes of a platform that takes poses move: those up to the last
// one with a range. What it has beside its pose comes after all six.
func needed(g cueing.Geometry, all int) int {
	const pose = 6
	ranges := [pose]float64{g.Range.Surge, g.Range.Sway, g.Range.Heave, g.Range.Roll, g.Range.Pitch, g.Range.Yaw}
	for all > 0 && all <= pose && ranges[all-1] == 0 {
		all--
	}
	return all
}

// section puts the table's name before each fault, so that its key is found.
func section(name string, v validator) error {
	var errs []error
	for _, err := range leaves(v.Validate()) {
		if !strings.HasPrefix(err.Error(), name+": ") {
			err = fmt.Errorf("%s: %w", name, err)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Validate reports every field that is out of range.
func (d Display) Validate() error {
	var errs []error
	if d.Width < 320 || d.Width > 7680 {
		errs = append(errs, fmt.Errorf("display: width_px = %d is outside 320..7680", d.Width))
	}
	if d.Height < 240 || d.Height > 4320 {
		errs = append(errs, fmt.Errorf("display: height_px = %d is outside 240..4320", d.Height))
	}
	if !slices.Contains([]string{"chase", "cockpit"}, d.Camera) {
		errs = append(errs, fmt.Errorf("display: camera = %q; choose chase or cockpit", d.Camera))
	}
	return errors.Join(errs...)
}

// Load reads the file at path over the defaults.
func Load(path string) (Config, error) {
	c := Default()
	data, err := readAll(path)
	if err != nil {
		return Config{}, err
	}
	if err := c.underlay(path, data); err != nil {
		return Config{}, err
	}
	if err := Decode(path, data, &c); err != nil {
		return Config{}, err
	}
	c.file, c.text = path, data
	if err := c.preset(); err != nil {
		return Config{}, err
	}
	if isFile(c.Car) && !filepath.IsAbs(c.Car) {
		c.Car = filepath.Join(filepath.Dir(path), c.Car) // it lies beside the file that names it
	}
	if isFile(c.Track) && !filepath.IsAbs(c.Track) {
		c.Track = filepath.Join(filepath.Dir(path), c.Track)
	}
	if _, err := LoadCar(c.Car); err != nil {
		return Config{}, named(path, data, "car", err)
	}
	if _, err := LoadCircuit(c.Track); err != nil {
		return Config{}, named(path, data, "track", err)
	}
	return c, nil
}

// named gives a fault that has no place in its own file, as when there is none, the
// place of the key that names the file.
func named(path string, data []byte, key string, err error) error {
	var p *Problem
	if errors.As(err, &p) && p.Line == 0 {
		return locate(path, data, fmt.Errorf("%s: %w", key, err))
	}
	return err
}

// isFile tells a car's file from the name of a built-in one.
func isFile(car string) bool { return strings.ContainsAny(car, "./") }

// Find returns the first of the usual places that holds a configuration, or nothing:
// ./rig.toml, the user's, the machine's. Root (uid 0) and a service, which its manager
// gives $NOTIFY_SOCKET, do not take the first: anybody may leave a rig.toml where they happen
// to stand.
func Find(getenv func(string) string, uid int) string {
	home := getenv("XDG_CONFIG_HOME")
	if home == "" {
		home = filepath.Join(getenv("HOME"), ".config")
	}
	places := []string{"/etc/rig/rig.toml"}
	if filepath.IsAbs(home) { // or it would be of the working folder
		places = append([]string{filepath.Join(home, "rig", "rig.toml")}, places...)
	}
	if uid != 0 && getenv("NOTIFY_SOCKET") == "" {
		places = append([]string{"rig.toml"}, places...)
	}
	for _, path := range places {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// Text is c as the TOML file that would say all of it.
func Text(c Config) (string, error) {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return "", fmt.Errorf("config: %w", err)
	}
	return b.String(), nil
}

// Keys is c under the keys of its file, for other encodings.
func Keys(c Config) (map[string]any, error) {
	text, err := Text(c)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := toml.Unmarshal([]byte(text), &m); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return m, nil
}
