// Package replay drives recordings again.
//
// Header describes a rig in a recording's header, and NewPlayer builds the same drive from it. A Player steps that drive by
// the recorded inputs; it ends up in the same state, to the last bit, on the same build. It opens no device.
package replay

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/sim"
)

// force is a force preset in a header.
type force struct {
	FFB ffb.Config `toml:"ffb"`
}

// Validate reports every key that is out of range.
func (f *force) Validate() error { return f.FFB.Validate() }

// Header returns the header of a drive that begins now. d was built from the configuration, trackFiles (of the circuit's
// ground) and forces, which may be nil.
func Header(cfg config.Config, d *drive.Drive, trackFiles []string, forces *drivesetup.Forces, demo bool, began time.Time) (*recording.Header, error) {
	v := version.Current()
	h := &recording.Header{
		Format: recording.Version, Version: v.Version, Commit: v.Commit, Target: v.Target, Began: began,
		CarName: filepath.Base(cfg.Car), Track: filepath.Base(cfg.Track), Rate: cfg.Record.RateHz,
		Inputs: drive.InputsLayout(), State: drive.StateLayout(),
		Setup: recording.Setup{
			Demo: demo, OwnEffects: d.HasOwnEffects(), RimServo: d.HasRimServo(), AnyKeyStops: d.Setup.AnyKeyStops, InterlockButton: d.Setup.InterlockButton,
			TickLimit: d.Setup.TickLimit, LapLimit: d.Setup.LapLimit, WaitTimeout: d.Setup.WaitTimeout, LeaveTimeout: d.Setup.LeaveTimeout,
		},
	}
	if f := d.Setup.Follower; f != nil {
		h.Setup.Follow = &recording.Follow{Predict: f.Config().Predict, Trust: d.Setup.FollowTrust}
	}
	if g := d.Setup.Grid; g != (drive.Grid{}) {
		h.Setup.Grid = &g
	}
	h.SetChannels(channels.All())
	var err error
	if _, h.Car, err = config.LoadCarFiles(cfg.Car); err != nil {
		return nil, err
	}
	if h.Circuit, err = circuitFiles(cfg, trackFiles); err != nil {
		return nil, err
	}
	if forces != nil {
		for _, f := range forces.Configs[1:] {
			var b bytes.Buffer
			if err := toml.NewEncoder(&b).Encode(force{f}); err != nil {
				return nil, fmt.Errorf("record: force: %w", err)
			}
			h.Forces = append(h.Forces, b.String())
		}
	}
	h.Driver = cfg.Driver
	cfg.Car, cfg.Track, cfg.Platform, cfg.Driver = h.CarName, h.Track, "", "" // a replay has the window of all
	cfg.DropPrivate()
	if h.Config, err = config.EncodeTOML(cfg); err != nil {
		return nil, err
	}
	h.Config = recording.Anonymous(h.Config)
	return h, nil
}

// circuitFiles returns the files of a rig's circuit; none for a built-in one.
func circuitFiles(cfg config.Config, trackFiles []string) ([]recording.File, error) {
	if !isPath(cfg.Track) {
		return nil, nil
	}
	return recording.Collect(append([]string{cfg.Track}, trackFiles...))
}

// isPath reports whether a circuit or a car is named by its file.
func isPath(name string) bool { return strings.ContainsAny(name, "./") }

// build builds the drive of a header, changed by KEY=VALUE arguments: keys of the configuration, and of the car behind
// "car.".
func build(h *recording.Header, set []string) (*drivesetup.Parts, error) {
	cfg, err := config.ParseRecorded("the recording's configuration", h.Config)
	if err != nil {
		return nil, err
	}
	var ofCar, ofRig []string
	for _, s := range set {
		if key, ok := strings.CutPrefix(s, "car."); ok {
			ofCar = append(ofCar, key)
		} else {
			ofRig = append(ofRig, s)
		}
	}
	if err := cfg.Set(ofRig...); err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "rig-replay-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	o := circuit.Options{Cache: circuit.UserCache()}
	switch {
	case len(h.Circuit) > 0:
		if cfg.Track, o.Files, err = recording.Restore(h.Circuit, folder); err != nil {
			return nil, err
		}
	case isPath(cfg.Track):
		return nil, fmt.Errorf("the recording has no files of its circuit %s; name one that does", printable.Name(cfg.Track))
	}
	car, err := loadCar(h, ofCar)
	if err != nil {
		return nil, err
	}
	parts, err := drivesetup.NewWithCar(cfg, car, o)
	if err != nil {
		return nil, err
	}
	return parts, apply(h, parts.Drive)
}

func loadCar(h *recording.Header, set []string) (sim.Params, error) {
	if h.Car != nil {
		return h.Car.Car(set...)
	}
	if isPath(h.CarName) {
		return sim.Params{}, fmt.Errorf("the recording has no files of its car %s; name one that does", printable.Name(h.CarName))
	}
	return config.LoadCar(h.CarName, set...)
}

// apply sets in a drive what a header has beside the configuration.
func apply(h *recording.Header, d *drive.Drive) error {
	s := &d.Setup
	for _, text := range h.Forces {
		f := force{FFB: ffb.DefaultConfig()}
		if err := config.Decode("the recording's force", []byte(text), &f); err != nil {
			return err
		}
		if err := drivesetup.AddForce(s, f.FFB); err != nil {
			return err
		}
	}
	s.InterlockButton, s.AnyKeyStops, s.TickLimit = h.Setup.InterlockButton, h.Setup.AnyKeyStops, h.Setup.TickLimit
	s.LapLimit, s.WaitTimeout, s.LeaveTimeout = h.Setup.LapLimit, h.Setup.WaitTimeout, h.Setup.LeaveTimeout
	if f := h.Setup.Follow; f != nil {
		s.Follower, s.FollowTrust = follow.New(follow.Config{Predict: f.Predict}, s.Dt), f.Trust
	}
	if g := h.Setup.Grid; g != nil {
		if err := d.StartOnGrid(*g); err != nil {
			return err
		}
	}
	if h.Setup.OwnEffects {
		drivesetup.EnableOwnEffects(d)
	}
	if !h.Setup.Demo {
		return nil
	}
	model, err := drivesetup.DemoDriver(s)
	if err != nil {
		return err
	}
	d.UseDriverModel(model)
	if h.Setup.RimServo {
		d.UseRimServo()
	}
	return nil
}
