// Package recording records drives and reads them back.
//
// A recording holds the inputs of every tick, snapshots of the drive's whole state, and channels at a lower rate, so that
// a drive can be driven again to the last bit and plotted without this program. It is an MCAP file
// (https://mcap.dev/spec) whose messages are protobuf with their own descriptors; only this package knows that format.
//
// The loop gives a Recorder its ticks through memory that was set aside before. A goroutine packs them into blocks, and
// keeps the last of them for the black box; another writes them to a file. Neither can delay the loop: what does not fit
// is counted as a gap.
package recording

import (
	"encoding/json"
	"fmt"
	"rig.example/rig/internal/core/follow"
	"time"

	"github.com/foxglove/mcap/go/mcap"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/config"
)

// Version is the version of the format. A reader refuses others.
const Version = 1

// Header tells what was recorded and what it takes to drive it again.
type Header struct {
	Format  int       `json:"format"`  // Version
	Version string    `json:"version"` // of rig, as version.Info
	Commit  string    `json:"commit"`
	Target  string    `json:"target"`
	Began   time.Time `json:"began"`
	CarName string    `json:"car"`              // of a built-in car, or of its file without the folder
	Track   string    `json:"track"`            // of a built-in circuit, or of its file without the folder
	Driver  string    `json:"driver,omitempty"` // name of the driver's profile; "" for nobody in particular

	Config  string           `json:"config"`              // the whole configuration as TOML
	Forces  []string         `json:"forces"`              // force presets beside that of the configuration, as TOML
	Car     *config.CarFiles `json:"car_files,omitempty"` // nil for a built-in car
	Circuit []File           `json:"circuit,omitempty"`   // its own file first; none for a built-in circuit

	Profiles map[string]string `json:"profiles,omitempty"` // texts of the devices' calibration profiles, by their names

	Setup    Setup    `json:"setup"`
	Rate     int      `json:"rate_hz"` // of the channels
	Channels []string `json:"channels"`
	Groups   []int    `json:"groups"` // how many channels each group has
	Inputs   string   `json:"inputs"` // drive.InputsLayout
	State    string   `json:"state"`  // drive.StateLayout
}

// Setup holds what a rig sets in a drive beside its configuration.
type Setup struct {
	Demo            bool    `json:"demo"`        // a driver model drives
	OwnEffects      bool    `json:"own_effects"` // the wheel plays effects by itself
	RimServo        bool    `json:"rim_servo"`   // the driver model turns a real rim
	AnyKeyStops     bool    `json:"any_key_stops"`
	InterlockButton bool    `json:"interlock_button"`
	TickLimit       uint64  `json:"tick_limit"`
	LapLimit        int     `json:"lap_limit,omitempty"`
	WaitTimeout     float64 `json:"wait_timeout_s"`
	LeaveTimeout    float64 `json:"leave_timeout_s"`
	Follow          *Follow `json:"follow,omitempty"` // another simulator was followed

	Grid *drive.Grid `json:"grid,omitempty"` // the car began on a grid
}

// Follow is how another simulator was followed.
type Follow struct {
	Predict bool           `json:"predict"`
	Trust   []follow.Trust `json:"trust"` // as drive.Setup.FollowTrust
}

// Topics of the messages. Channels have one for each group.
const (
	inputsTopic   = "/rig/inputs"
	snapshotTopic = "/rig/snapshot"
	hashTopic     = "/rig/hash"
	eventTopic    = "/rig/event"
	lapTopic      = "/rig/lap"
	gapTopic      = "/rig/gap"
)

// Numbers of the topics' channels in the file. Those of the groups follow.
const (
	inputsID uint16 = iota + 1
	snapshotID
	hashID
	eventID
	lapID
	gapID
	firstGroupID
)

// headerName is the name of the metadata record that holds the header, in its key headerKey.
const (
	headerName = "rig"
	headerKey  = "header"
)

// GroupNames returns the names of the channels in each group.
func (h *Header) GroupNames() (all [][]string) {
	rest := h.Channels
	for _, n := range h.Groups {
		n = min(max(n, 0), len(rest))
		all, rest = append(all, rest[:n]), rest[n:]
	}
	return all
}

// SetChannels sets the channels that the recording has.
func (h *Header) SetChannels(list []channels.Channel) {
	h.Channels, h.Groups = nil, nil
	for _, g := range groups(list) {
		h.Groups = append(h.Groups, len(g.members))
	}
	for i := range list {
		h.Channels = append(h.Channels, list[i].Name)
	}
}

// metadata returns the record that holds the header.
func (h *Header) metadata() (*mcap.Metadata, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("recording: header: %w", err)
	}
	return &mcap.Metadata{Name: headerName, Metadata: map[string]string{
		headerKey: string(text), "car": h.CarName, "track": h.Track, "driver": h.Driver, "version": h.Version, "began": h.Began.Format(time.RFC3339),
	}}, nil
}

// time returns the time of a tick as MCAP has it [ns since 1970].
func (h *Header) time(tick uint64) uint64 { return uint64(h.Began.UnixNano()) + tick*uint64(tickTime) }

const tickTime = time.Millisecond // a tick, on the recording's own time scale, which counts ticks
