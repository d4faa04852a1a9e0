package config

import (
	"errors"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Choice replaces keys of a configuration for one drive, as the flags of `rig run` do. An empty text replaces nothing.
// Paths are relative to the working folder.
type Choice struct {
	Car      string // --car
	Track    string // --track
	Platform string // --platform: it lies below the file's own keys, as the key does
	Camera   string // --camera
}

// flags returns each flag with what it chooses and with the key that this replaces.
func (ch *Choice) flags(c *Config) []chosenKey {
	return []chosenKey{{"--car", ch.Car, &c.Car}, {"--track", ch.Track, &c.Track}, {"--platform", ch.Platform, &c.Platform}, {"--camera", ch.Camera, &c.Display.Camera}}
}

type chosenKey struct {
	flag, chosen string
	key          *string
}

// String returns the choice as the flags that make it, or "".
func (ch Choice) String() string {
	var flags []string
	for _, k := range ch.flags(&Config{}) {
		if k.chosen != "" {
			flags = append(flags, k.flag+" "+k.chosen)
		}
	}
	return strings.Join(flags, " ")
}

// apply replaces the keys. What the platform's file says is applied by applyBases.
func (ch *Choice) apply(c *Config) error {
	for _, k := range ch.flags(c) {
		if k.chosen != "" {
			*k.key = k.chosen
		}
	}
	if err := valid.Fields(c.Display, "camera"); err != nil {
		return &Problem{File: "--camera", Text: strings.TrimPrefix(err.Error(), "camera = ")}
	}
	return nil
}

// ofFlag returns err as an error of a flag if it has no position in a file, and unchanged otherwise.
func ofFlag(flag string, err error) error {
	var p *Problem
	if errors.As(err, &p) && p.Line > 0 {
		return err
	}
	return &Problem{File: flag, Text: err.Error()}
}
