// Package games receives the motion of other simulators: packets over UDP, and shared memory.
//
// Its inputs are packets in the layouts of games, from this machine or from allowed peers, files of shared memory, and a
// configuration. Its output is the newest state of a game as a follow.Sample in rig's axes, for the loop, and words about
// what is heard, for people. It opens no device and moves nothing; package follow decides what of it is believed.
package games

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Source is a game or a family of games, by the layout of what it tells.
type Source struct {
	Name  string   `json:"name"`            // as in the configuration
	About string   `json:"about"`           // games, and where the layout is from
	Port  int      `json:"port,omitempty"`  // where rig listens unless the configuration says otherwise; 0 for shared memory
	Files []string `json:"files,omitempty"` // shared memory in /dev/shm, of which the first must be there
	Rate  string   `json:"rate"`            // packets per second
	Signs string   `json:"signs"`           // axes and signs, and how certain they are

	reader func() reader // of shared memory
}

// Sources are all that can be followed. A Sample's source is the index plus one, see Code; recordings hold it, so new
// ones come last.
var Sources = []Source{
	{Name: "beamng", About: "BeamNG.drive: motion packets BNG1, 88 bytes (lua/vehicle/protocols/motionSim.lua)", Port: 4444, Rate: "100 or 200",
		Signs: "world right, ahead, up; acceleration in the car, without gravity; roll right side down, pitch nose up, yaw right. A packet whose angles contradict its up vector, as of a version with other signs, is refused"},
	{Name: "outsim", About: "Live for Speed: OutSim, 64 or 68 bytes, or OutSim2 with all options, 280 bytes (docs/InSim.txt)", Port: 30000, Rate: "100",
		Signs: "world right, ahead, up; heading left, pitch nose up, roll right side down; proven by packets of the game"},
	{Name: "forza", About: "Forza Motorsport and Horizon: Data Out, 232, 311, 324 or 331 bytes (support.forza.net)", Port: 8000, Rate: "60",
		Signs: "car right, up, ahead; yaw right; pitch nose down and roll left side down are inferred, not proven: watch them before you confirm"},
	{Name: "dirt", About: "DiRT Rally 2.0 and others by Codemasters: 264 bytes, extradata=3", Port: 20777, Rate: "60",
		Signs: "axes as vectors, lateral g left, longitudinal forward; proven by recorded sessions; the vertical acceleration follows from the velocity"},
	{Name: "wrc", About: "EA Sports WRC: session_update of wrc.json, 237 bytes (telemetry/readme of the game)", Port: 20777, Rate: "60",
		Signs: "left, up, ahead for all vectors, in the game's own words; attitude by vectors, rates from them. That the acceleration is along the world's axes is what programs take it for"},
	{Name: "rbr", About: "Richard Burns Rally with NGP, also in RSF: 664 bytes (rbr.telemetry.data.TelemetryData.h)", Port: 6776, Rate: "100",
		Signs: "surge ahead, sway right, heave up in g; roll right side down, pitch nose up, yaw left in degrees. The header has neither units nor signs: these are a motion program's (github.com/PHARTGAMES/SpaceMonkey); watch them before you confirm"},
	{Name: "ac", About: "Assetto Corsa, Competizione, Rally: shared memory (Shared Memory Reference of Kunos)", Files: []string{"acpmf_physics", "acpmf_graphics", "acpmf_static"}, Rate: "333", reader: newAssetto,
		Signs: "car left, up, ahead (reimplementations of its physics); signs of heading, pitch and roll are measured against the angular velocity; until then the four contact points are the attitude"},
	{Name: "acevo", About: "Assetto Corsa EVO: shared memory (github.com/dSyncro/acevo-shared-memory: its physics page is that of ac)", Files: []string{"acevo_pmf_physics", "acevo_pmf_graphics"}, Rate: "333", reader: newEvo,
		Signs: "taken over from ac, and measured likewise"},
	{Name: "rf2", About: "rFactor 2 with rF2SharedMemoryMapPlugin: shared memory (InternalsPlugin.hpp)", Files: []string{"$rFactor2SMMP_Telemetry$", "$rFactor2SMMP_Scoring$"}, Rate: "50", reader: newRF2,
		Signs: "car and world left, up, back, left-handed; rotation nose up, right, right side down; attitude by a matrix. Whether the vertical acceleration has gravity in it is not documented: standing, --watch must not say pushed up"},
	{Name: "lmu", About: "Le Mans Ultimate: shared memory (InternalsPlugin.hpp)", Files: []string{"LMU_Data"}, Rate: "100", reader: newLMU,
		Signs: "as rf2"},
	{Name: "scs", About: "Euro and American Truck Simulator with scs-sdk-plugin: shared memory (scssdk_value.h)", Files: []string{"SCS/SCSTelemetry"}, Rate: "60", reader: newTrucks,
		Signs: "truck right, up, back; angles left, nose up, left side down, in turns; the cabin's own are added"},
}

// Config is what rig listens to.
type Config struct {
	// the game to follow; empty listens to all and takes the first that is heard
	Source string `toml:"source" oneof:",beamng,outsim,forza,dirt,wrc,rbr,ac,acevo,rf2,lmu,scs"`
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
	if s, err := Find(c.Source); c.Port != 0 && (err != nil || s.Port == 0) {
		errs = append(errs, errors.New("port: needs a source that has one, because each game has its own"))
	}
	return errors.Join(errs...)
}

// Find returns the source with a name, for a flag. simapi and outgauge are refused with the reason.
func Find(name string) (Source, error) {
	switch name {
	case "acc", "acrally":
		return Source{}, fmt.Errorf("%q: it has the shared memory of Assetto Corsa; say ac", name)
	case "ets2", "ats":
		return Source{}, fmt.Errorf("%q: say scs", name)
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

// Code returns the code of a source in a Sample, 0 for none.
func Code(name string) uint8 { return uint8(slices.Index(names(), name) + 1) }

// Name returns the name of the source with a code, or "".
func Name(code uint64) string {
	if code == 0 || code > uint64(len(Sources)) {
		return ""
	}
	return Sources[code-1].Name
}
