// Package games receives the motion of other simulators: packets over UDP.
//
// Its inputs are packets in the layouts of games, from this machine or from allowed peers, and a configuration. Its
// output is the newest one as a follow.Sample in rig's axes, for the loop, and words about what is heard, for people. It
// opens no device and moves nothing; package follow decides what of it is believed.
package games

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"rig.example/rig/internal/valid"
)

// Source is a game or a family of games, by the layout of its packets.
type Source struct {
	Name  string // as in the configuration
	About string // games, and where the layout is from
	Port  int    // where rig listens unless the configuration says otherwise
	Rate  string // packets per second
	Signs string // axes and signs, and how certain they are
}

// Sources are all that can be followed. A Sample's source is the index less one.
var Sources = []Source{
	{"beamng", "BeamNG.drive: motion packets BNG1, 88 bytes (lua/vehicle/protocols/motionSim.lua)", 4444, "100 or 200",
		"world right, ahead, up; acceleration in the car, without gravity; roll right side down, pitch nose up, yaw right. A packet whose angles contradict its up vector, as of a version with other signs, is refused"},
	{"outsim", "Live for Speed: OutSim, 64 or 68 bytes, or OutSim2 with all options, 280 bytes (docs/InSim.txt)", 30000, "100",
		"world right, ahead, up; heading left, pitch nose up, roll right side down; proven by packets of the game"},
	{"forza", "Forza Motorsport and Horizon: Data Out, 232, 311, 324 or 331 bytes (support.forza.net)", 8000, "60",
		"car right, up, ahead; yaw right; pitch nose down and roll left side down are inferred, not proven: watch them before you confirm"},
	{"dirt", "DiRT Rally 2.0 and others by Codemasters: 264 bytes, extradata=3", 20777, "60",
		"axes as vectors, lateral g left, longitudinal forward; proven by recorded sessions; the vertical acceleration follows from the velocity"},
}

// Config is what rig listens to.
type Config struct {
	// the game to follow: `beamng`, `outsim`, `forza` or `dirt`; empty listens to all and takes the first that is heard
	Source string `toml:"source" oneof:",beamng,outsim,forza,dirt"`
	// UDP port at which the game's packets arrive; 0 is the usual one of the game
	Port int `toml:"port" range:"0 (usual) or 1..65535"`
	// addresses of other machines from which packets are taken; without any, packets from this machine alone
	Allow []string `toml:"allow" count:"0..16"`
	// shows the motion an interval of the packets earlier: less delay, more grain
	Predict bool `toml:"predict"`
}

// Validate reports every key that cannot be used.
func (c Config) Validate() error {
	errs := []error{valid.Struct(c)}
	for i, text := range c.Allow {
		if _, err := netip.ParseAddr(text); err != nil {
			errs = append(errs, fmt.Errorf("allow[%d] = %q: must be an address such as 192.168.1.20", i, text))
		}
	}
	if c.Port != 0 && c.Source == "" {
		errs = append(errs, errors.New("port: needs source, because each game has its own"))
	}
	return errors.Join(errs...)
}

// Find returns the source with a name, for a flag. simapi and outgauge are refused with the reason.
func Find(name string) (Source, error) {
	switch name {
	case "simapi":
		return Source{}, errors.New("SIMAPI.DAT has no acceleration and is up to 16 ms old: it is for shakers and dashes; let the game send its own packets to rig")
	case "outgauge":
		return Source{}, errors.New("OutGauge has no motion: it is for dashes; switch on OutSim (Live for Speed) or the motion packets (BeamNG)")
	}
	if i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name }); i >= 0 {
		return Sources[i], nil
	}
	return Source{}, fmt.Errorf("%q: not found; choose %s", name, strings.Join(names(), ", "))
}

func names() (list []string) {
	for _, s := range Sources {
		list = append(list, s.Name)
	}
	return list
}

// code returns the code of a source in a Sample.
func code(name string) uint8 { return uint8(slices.Index(names(), name) + 1) }

// Name returns the name of the source with a code, or "".
func Name(code uint64) string {
	if code == 0 || code > uint64(len(Sources)) {
		return ""
	}
	return Sources[code-1].Name
}
