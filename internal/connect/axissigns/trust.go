// Package axissigns shows in words what another simulator's car does, and keeps which of its axes the operator has confirmed on
// which platform, for which version of the game.
//
// Its inputs are packets (a rig.MotionSource) and the operator's answers; its outputs are text, and a file beside the
// calibration profiles. It moves nothing.
package axissigns

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/kit/valid"
)

// confirmations are the contents of the file.
type confirmations struct {
	// what the operator has confirmed, for each game and platform
	List []confirmation `toml:"confirmed" count:"0..200"`
}

type confirmation struct {
	Source   string   `toml:"source"`   // as in follow.source
	Version  string   `toml:"version"`  // of the game, as far as it tells it
	Platform string   `toml:"platform"` // Platform of the configuration
	Axes     []string `toml:"axes"`     // that are confirmed: `surge`, `sway`, `heave`, `roll`, `pitch`, `yaw`
}

// Validate reports every axis that there is not.
func (c confirmations) Validate() error {
	errs := []error{valid.Struct(c)}
	for i, x := range c.List {
		for _, axis := range x.Axes {
			if !slices.Contains(follow.AxisNames[:], axis) {
				errs = append(errs, valid.OneOf(fmt.Sprintf("confirmed[%d].axes", i), axis, follow.AxisNames[:]...))
			}
		}
	}
	return errors.Join(errs...)
}

// Store is the file of the confirmations.
type Store struct{ Path string }

// StoreOf returns the store of a configuration, beside its calibration profiles.
func StoreOf(cfg config.Config) (Store, error) {
	profiles, err := cfg.ProfileStore()
	return Store{filepath.Join(profiles.Dir, "follow.toml")}, err
}

// Platform identifies the platform of a configuration: another geometry or controller is another platform.
func Platform(cfg config.Config) (string, error) {
	text, err := toml.Marshal(cfg.Geometry)
	h := fnv.New64a()
	h.Write(text)
	h.Write([]byte(cfg.Motion.Protocol))
	return fmt.Sprintf("%016x", h.Sum64()), err
}

func (s Store) read() (c confirmations, err error) {
	text, err := userfile.Read(s.Path, userfile.MaxText)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = config.Decode(s.Path, text, &c)
	}
	return c, err
}

// Trust returns what is confirmed on a platform.
func (s Store) Trust(platform string) (list []follow.Trust, err error) {
	c, err := s.read()
	for _, x := range c.List {
		code := games.Code(x.Source)
		if code == 0 || x.Platform != platform {
			continue
		}
		t := follow.Trust{Source: code, Version: games.Hash(x.Version)}
		for i, name := range follow.AxisNames {
			t.Axes[i] = follow.Unconfirmed
			if slices.Contains(x.Axes, name) {
				t.Axes[i] = 1
			}
		}
		list = append(list, t)
	}
	return list, err
}

// Confirm adds axes to those that are confirmed for a version of a source on a platform.
func (s Store) Confirm(source, version, platform string, axes []string) error {
	c, err := s.read()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(c.List, func(x confirmation) bool {
		return x.Source == source && x.Version == version && x.Platform == platform
	})
	if i < 0 {
		c.List = append(c.List, confirmation{Source: source, Version: version, Platform: platform})
		i = len(c.List) - 1
	}
	for _, axis := range axes {
		if !slices.Contains(c.List[i].Axes, axis) {
			c.List[i].Axes = append(c.List[i].Axes, axis)
		}
	}
	text, err := toml.Marshal(c)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(s.Path), 0o700)
	}
	if err == nil {
		err = sink.Replace(s.Path, 0o600, func(f *os.File) error { _, err := f.Write(text); return err })
	}
	if err != nil {
		return fmt.Errorf("confirmed signs: %w", err)
	}
	return nil
}
