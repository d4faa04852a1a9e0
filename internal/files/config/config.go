// Package config reads the configuration of the rig and the files that it names: cars, circuits,
// platforms and presets, built in or on disk.
// In: paths or built-in names, and KEY=VALUE arguments of the command line. Out: validated structs, or
// every error found, each as a *Problem with file, line and column.
// Reading is strict: an unknown key, a wrong type or a value out of range is an error.
// It never opens a device, never writes a file and never replaces a bad value by a default.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/tire"
)

// Config is the whole configuration of a rig; each table belongs to the package that uses it. Those of features are in
// sections, see Get.
type Config struct {
	// a built-in car (`coupe`, `hatch`, `gt`, `formula`, `pickup`, `raycast`, `wheelcollider`, `reference`),
	// or a file `NAME.toml` that changes some parameters of one
	Car string `toml:"car"`
	// a built-in circuit (`club`, `skidpad`, `proving-ground`), a circuit's file `NAME.toml`, or a ground:
	// `.glb`, `.gltf`, `.obj`, `.xodr`, `.crg`, `.asc`
	Track string `toml:"track"`
	// a built-in motion platform (`seat-mover`, `traction-loss-seat`, `sfx100-4`, `hexapod-6`, `rotary-6`) or
	// a file: it lies below `[geometry]`, `[cueing]`, `[tuning]` and `[motion]`
	Platform string `toml:"platform"`
	// what the circuit's tarmac is, or its weather: `dry`, `concrete`, `damp`, `cobbles`, `wet`, `earth`,
	// `gravel`, `sand`, `grass`, `wet-cobbles`, `wet-grass`, `snow` or `ice`, the one with most grip first;
	// its other surfaces stay as they are
	Surface string `toml:"surface"`
	// speed at which the car begins a drive at its start place: it rolls as soon as torque and motion fade in. A demo, a
	// place on the grid of a session, and a car put back on its wheels begin from rest
	StartSpeed float64 `toml:"start_speed_kmh" range:"0..200"`
	// where `rig calibrate` keeps profiles; empty is `~/.config/rig/profiles`
	Profiles string `toml:"profiles_dir"`

	// who drives, without `--driver` and `rig driver use`: the name of a driver's profile; empty is nobody in particular
	Driver string `toml:"driver"`

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
	Geometry cueing.Geometry `toml:"geometry"` // the platform's kind and measures
	Tuning   Tuning          `toml:"tuning"`
	Motion   motion.Config   `toml:"motion"`
	Display  Display         `toml:"display"`
	Record   Record          `toml:"record"`

	sections []section // of features, behind these tables

	file    string         // path of the file from which the configuration was read, or ""
	text    []byte         // contents of that file
	driver  []byte         // contents of the driver's profile
	foreign map[string]any // tables of a recording that no section has
}

// Record configures the recordings.
type Record struct {
	Always bool `toml:"always"` // records every drive, not only those of `rig run --record`
	// where recordings and the black box's files are kept; empty is `~/.local/share/rig/recordings`, or
	// `/var/lib/rig/recordings` for root
	Folder string  `toml:"folder"`
	KeepGB float64 `toml:"keep_gb" range:"0 (all) or 0.1..100000"`                                                                         // before a drive the oldest recordings beyond this size are deleted, but none with a mark
	FreeGB float64 `toml:"free_gb" range:"0..10000"`                                                                                       // a recording ends where the disk has less left
	RateHz int     `toml:"rate_hz" range:"1 or 2 or 4 or 5 or 8 or 10 or 20 or 25 or 40 or 50 or 100 or 125 or 200 or 250 or 500 or 1000"` // of the channels; inputs are recorded in every tick
	// how many files of the black box are kept; 0 switches it off
	BlackBoxes int `toml:"black_boxes" range:"0..1000"`
}

// DefaultRecord returns a black box, and recordings of drives that ask for one.
func DefaultRecord() Record { return Record{KeepGB: 20, FreeGB: 1, RateHz: 100, BlackBoxes: 10} }

// Validate reports every key that is out of range.
func (r Record) Validate() error { return valid.Struct(r) }

// Default returns a configuration that is valid without any file, with the sections of some features.
func Default(sections ...Section) Config {
	c := Config{
		Car: "coupe", Track: "club", Surface: "dry",
		Loop: loop.DefaultConfig(), Realtime: rt.DefaultConfig(), Guard: guard.DefaultConfig(),
		Wheel: wheel.DefaultConfig(), Buttons: wheel.DefaultButtons(), Pedals: pedals.DefaultConfig(),
		Estop: estop.DefaultConfig(), Assists: DefaultAssists(), FFB: ffb.DefaultConfig(),
		Cueing: cueing.DefaultConfig(), Geometry: cueing.DefaultGeometry(), Tuning: DefaultTuning(),
		Motion:  motion.DefaultConfig(),
		Display: DefaultDisplay(), Record: DefaultRecord(),
	}
	for _, s := range sections {
		c.sections = append(c.sections, section{s, s.Tables})
	}
	return c
}

// ProfileStore returns the folder of the calibration profiles: profiles_dir, or else the user's
// configuration folder. It returns an error if there is neither.
func (c *Config) ProfileStore() (calib.Store, error) {
	if c.Profiles != "" {
		return calib.Store{Dir: c.Profiles}, nil
	}
	return calib.DefaultStore()
}

// Validate reports every field of every section that is out of range, and sections that do not fit together.
func (c *Config) Validate() error {
	errs := []error{c.validateSurface(), valid.Fields(c, "start_speed_kmh"), c.validateDriver(), c.validateGPIOLines(), c.validateTargetKind(), c.validateActuators(),
		ValidateTable("loop", c.Loop), ValidateTable("realtime", c.Realtime), ValidateTable("guard", c.Guard), ValidateTable("wheel", c.Wheel),
		ValidateTable("buttons", c.Buttons), ValidateTable("estop", c.Estop),
		ValidateTable("pedals", c.Pedals),
		ValidateTable("assists", c.Assists), ValidateTable("ffb", c.FFB), ValidateTable("cueing", c.Cueing),
		ValidateTable("geometry", c.Geometry), ValidateTable("tuning", c.Tuning), ValidateTable("motion", c.Motion), ValidateTable("display", c.Display), ValidateTable("record", c.Record)}
	for _, s := range c.sections {
		errs = append(errs, s.now.Validate())
	}
	return errors.Join(errs...)
}

func (c *Config) validateSurface() error {
	if _, err := tire.SurfaceNamed(c.Surface); err != nil {
		return valid.OneOf("surface", c.Surface, tire.SurfaceNames()...)
	}
	return nil
}

func (c *Config) validateDriver() error {
	if c.Driver == "" {
		return nil
	}
	if err := CheckDriverName(c.Driver); err != nil {
		return fmt.Errorf("driver = %w", err)
	}
	return nil
}

// validateGPIOLines refuses a GPIO line that both a load cell and the emergency stop (switch, relay or
// interlock) use, because the kernel lets only one of them open it.
func (c *Config) validateGPIOLines() error {
	estopLines := []string{c.Estop.Pin, c.Estop.SecondPin, c.Estop.Relay, c.Estop.Interlock}
	for i, a := range c.Pedals.ADC {
		for _, line := range []string{a.Clock, a.Data} {
			if line != "" && slices.Contains(estopLines, line) {
				return fmt.Errorf("pedals.adc[%d]: clock_line or data_line is %s, which estop uses too; use another line", i, line)
			}
		}
	}
	return nil
}

// validateTargetKind checks that the platform's geometry yields what the controller expects: poses or
// leg lengths. A controller would interpret the one as the other. A controller that computes the legs
// itself (motion4sim with poses) works with every geometry.
func (c *Config) validateTargetKind() error {
	poseGeometry := c.Geometry.Kind == cueing.KindPose
	if c.Motion.Protocol == "" || poseGeometry == c.Motion.TakesPose() || c.Motion.Protocol == motion.ProtocolMotion4Sim && c.Motion.TakesPose() {
		return nil
	}
	if poseGeometry {
		return fmt.Errorf("geometry.kind = %q, but the controller of motion.protocol expects leg lengths; "+
			"set geometry.kind to how the platform is built, or motion.template.takes", c.Geometry.Kind)
	}
	return fmt.Errorf("geometry.kind = %q, but the controller of motion.preset or motion.template expects poses; "+
		"set geometry.kind = %q, and [geometry.pose]", c.Geometry.Kind, cueing.KindPose)
}

// validateActuators refuses a controller that moves fewer actuators than the platform has, because some
// would never move, and one that moves more, because it is unknown what the others are attached to.
func (c *Config) validateActuators() error {
	if c.Motion.Protocol == "" || c.validateTargetKind() != nil || c.Motion.Protocol == motion.ProtocolMotion4Sim && c.Motion.TakesPose() {
		return nil
	}
	platform, err := cueing.NewPlatform(c.Geometry, cueing.FullStroke())
	n, key, unusedOK, codecErr := c.Motion.Actuators()
	if err != nil || codecErr != nil {
		return nil // the validation of geometry or motion reports it
	}
	names := platform.Names()
	minActuators := len(names)
	if c.Geometry.Kind == cueing.KindPose {
		minActuators = movingAxes(c.Geometry, minActuators)
	}
	if n >= minActuators && (n <= len(names) || unusedOK) {
		return nil
	}
	remedy := "set it to the number of actuators, or correct [geometry]"
	switch {
	case unusedOK:
		remedy = "choose another motion.protocol or another geometry.kind"
	case key == "template.output":
		remedy = "name one axis for each actuator, or correct [geometry]; " +
			"if the controller expects more values than there are actuators, set template.actuators"
	}
	return fmt.Errorf("motion.%s: moves %d axes and the geometry has %d actuators (%s); %s",
		key, n, len(names), strings.Join(names, ", "), remedy)
}

// movingAxes returns how many of the axes of a pose platform a controller must move: those up to the last
// one of the pose with a range. all is the number of its axes; axes beyond the six of the pose, such as a
// belt tensioner, always count.
func movingAxes(g cueing.Geometry, all int) int {
	const pose = 6
	ranges := [pose]float64{g.Range.Surge, g.Range.Sway, g.Range.Heave, g.Range.Roll, g.Range.Pitch, g.Range.Yaw}
	for all > 0 && all <= pose && ranges[all-1] == 0 {
		all--
	}
	return all
}

// ValidateTable validates v and puts the name of its table before the key in each error, in place of a
// prefix that the package has put there.
func ValidateTable(name string, v validator) error {
	var errs []error
	for _, err := range Faults(v.Validate()) {
		if key, ok := strings.CutPrefix(err.Error(), name+": "); ok {
			err = errors.New(key)
		}
		errs = append(errs, valid.WithPrefix(name, err))
	}
	return errors.Join(errs...)
}

// Load reads the configuration file at path, with the sections of some features. Keys that it does not set come from the presets and the
// platform that it names, and then from Default. It also loads the car and the circuit, to report their
// errors.
func Load(path string, sections ...Section) (Config, error) {
	return LoadChosen(path, Choice{}, sections...)
}

// LoadChosen reads a configuration file as Load does, with a choice in place of some of its keys. If path is empty, the
// choice lies over Default.
func LoadChosen(path string, choice Choice, sections ...Section) (Config, error) {
	var data []byte
	if path != "" {
		var err error
		if data, err = readText(path); err != nil {
			return Config{}, err
		}
	}
	return parseChosen(path, data, choice, sections)
}

// Parse returns the configuration that Load would return if the file at path contained data.
func Parse(path string, data []byte, sections ...Section) (Config, error) {
	return parseChosen(path, data, Choice{}, sections)
}

// parseChosen does the work of LoadChosen and Parse.
func parseChosen(path string, data []byte, choice Choice, sections []Section) (Config, error) {
	c, err := decodeRig(path, data, choice.Platform, sections)
	if err != nil {
		return Config{}, err
	}
	if isPath(c.Car) && !filepath.IsAbs(c.Car) {
		c.Car = filepath.Join(filepath.Dir(path), c.Car) // relative to the configuration file
	}
	if isPath(c.Track) && !filepath.IsAbs(c.Track) {
		c.Track = filepath.Join(filepath.Dir(path), c.Track)
	}
	c.resolvePaths(path)
	if err := choice.apply(&c); err != nil {
		return Config{}, err
	}
	return c, c.checkCarAndTrack(choice)
}

// checkCarAndTrack returns an error if the car or the circuit cannot be loaded.
func (c *Config) checkCarAndTrack(choice Choice) error {
	at := func(key, chosen string, err error) error {
		if chosen != "" {
			return ofFlag("--"+key, err)
		}
		return locateAtKey(c.file, c.text, key, err)
	}
	if _, err := LoadCar(c.Car); err != nil {
		return at("car", choice.Car, err)
	}
	if _, err := LoadCircuit(c.Track); err != nil {
		return at("track", choice.Track, err)
	}
	return nil
}

// decodeRig decodes the text of the configuration file at path, over the presets and the platform that it names. A
// platform that is not "" takes the place of that one. If path is "", the text is, too.
func decodeRig(path string, data []byte, platform string, sections []Section) (Config, error) {
	c, name := Default(sections...), path
	if path == "" {
		name = "--platform" // nothing else can be wrong with the defaults
	}
	if err := c.applyBases(path, data, platform); err != nil {
		return Config{}, err
	}
	if err := c.decode(name, data); err != nil {
		return Config{}, err
	}
	c.file, c.text = path, data
	return c, c.applyPreset()
}

// locateAtKey returns err with the position of key in the file at path if err is a Problem without a
// position, as of a file that was not found; it returns every other error unchanged.
func locateAtKey(path string, data []byte, key string, err error) error {
	var p *Problem
	if errors.As(err, &p) && p.Line == 0 {
		return locate(path, data, fmt.Errorf("%s: %w", key, err))
	}
	return err
}

// isPath reports whether name is the path of a file instead of a built-in name.
func isPath(name string) bool { return strings.ContainsAny(name, "./") }

// Find returns the first of Places that is a regular file, or "".
func Find(getenv func(string) string, uid int) string {
	for _, path := range Places(getenv, uid) {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// Places returns the paths of the usual configuration files, the one that comes first first: ./rig.toml, that of
// the user, and /etc/rig/rig.toml. For root (uid 0) and for a service (its manager sets $NOTIFY_SOCKET) it leaves
// out ./rig.toml, because other users may have put a file into their working folder.
func Places(getenv func(string) string, uid int) []string {
	places := []string{systemFile}
	if own := userFile(getenv); own != "" {
		places = append([]string{own}, places...)
	}
	if uid != 0 && getenv("NOTIFY_SOCKET") == "" {
		places = append([]string{"rig.toml"}, places...)
	}
	return places
}

const systemFile = "/etc/rig/rig.toml"

// OwnFile returns the path at which the configuration of a user belongs: for root /etc/rig/rig.toml, for all
// others the file in their configuration folder.
func OwnFile(getenv func(string) string, uid int) (string, error) {
	if uid == 0 {
		return systemFile, nil
	}
	if own := userFile(getenv); own != "" {
		return own, nil
	}
	return "", errors.New("config: no folder for the configuration: neither XDG_CONFIG_HOME nor HOME is an absolute path; set HOME, or give --config")
}

// userFile returns the path of the user's configuration file, or "" if the environment names no absolute path: a
// relative one would depend on the working folder.
func userFile(getenv func(string) string) string {
	folder := getenv("XDG_CONFIG_HOME")
	if folder == "" {
		folder = filepath.Join(getenv("HOME"), ".config")
	}
	if !filepath.IsAbs(folder) {
		return ""
	}
	return filepath.Join(folder, "rig", "rig.toml")
}

// EncodeTOML returns c as the text of a TOML file with all keys.
func EncodeTOML(c Config) (string, error) {
	var b bytes.Buffer
	w := c.whole()
	for i, key := range c.foreignKeys() {
		w.Elem().Field(1 + len(c.sections) + i).Set(reflect.ValueOf(c.foreign[key]))
	}
	if err := toml.NewEncoder(&b).Encode(w.Interface()); err != nil {
		return "", fmt.Errorf("config: %w", err)
	}
	return b.String(), nil
}

// Keys returns c as nested maps under its TOML keys, for other encodings such as JSON.
func Keys(c Config) (map[string]any, error) {
	text, err := EncodeTOML(c)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := toml.Unmarshal([]byte(text), &m); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	return m, nil
}
