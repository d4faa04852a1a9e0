// Package audio plays sound on the devices of a PulseAudio or PipeWire (pipewire-pulse) server.
//
// A stream has all channels of its device, and each sample reaches exactly one of them: the server neither copies nor
// mixes channels, because some may drive bass shakers. In go samples that a function computes just in time; out come the
// stream's latency, its underruns and why it ended. A server that dies or hangs costs nothing but the sound. The package
// logs nothing, and leaves it to the caller to play again.
package audio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jfreymuth/pulse/proto"
)

// Sink is a sound device of the server.
type Sink struct {
	Name        string // as the server addresses it, such as alsa_output.pci-0000_00_1f.3.analog-stereo
	Description string // for people, such as Built-in Audio Analog Stereo
	Channels    int    // number of channels
	Rate        int    // of the device [Hz]; the server converts other rates
	Left, Right int    // indices of the front left and the front right channel; both 0 for a single channel
	Default     bool   // the server plays here what names no device

	positions string // channel map of the server: a position (proto.ChannelLeft, …) for each channel
}

// positionNames names the channels that shakers hang on; others have a number.
var positionNames = map[byte]string{
	proto.ChannelMono: "mono", proto.ChannelFrontLeft: "front left", proto.ChannelFrontRight: "front right", proto.ChannelFrontCenter: "center",
	proto.ChannelRearCenter: "rear center", proto.ChannelRearLeft: "rear left", proto.ChannelRearRight: "rear right", proto.ChannelLFE: "bass",
	proto.ChannelLeftSide: "side left", proto.ChannelRightSide: "side right",
}

// ChannelNames names the channels in their order: "1 front left", "2 front right", and so on.
func (s Sink) ChannelNames() (names []string) {
	for i := range len(s.positions) {
		name := positionNames[s.positions[i]]
		names = append(names, strings.TrimSpace(fmt.Sprintf("%d %s", i+1, name)))
	}
	return names
}

// Sinks lists the devices of the server. It returns an error of one line if no server answers.
func Sinks() ([]Sink, error) {
	c, err := connect(func(any) {})
	if err != nil {
		return nil, fmt.Errorf("audio: %w", err)
	}
	defer c.close()
	var server proto.GetServerInfoReply
	var infos proto.GetSinkInfoListReply
	err = c.request("name the default device", &proto.GetServerInfo{}, &server)
	if err == nil {
		err = c.request("list devices", &proto.GetSinkInfoList{}, &infos)
	}
	if err != nil {
		return nil, fmt.Errorf("audio: %w", err)
	}
	list := make([]Sink, 0, len(infos))
	for _, info := range infos {
		s := newSink(info)
		s.Default = s.Name == server.DefaultSinkName
		list = append(list, s)
	}
	return list, nil
}

func newSink(info *proto.GetSinkInfoReply) Sink {
	s := Sink{Name: info.SinkName, Description: info.Device, Channels: len(info.ChannelMap), Rate: int(info.Rate), positions: string(info.ChannelMap)}
	s.Left, s.Right = frontPair(info.ChannelMap)
	return s
}

// frontPair returns the indices of the front left and the front right channel: the first two channels if the map
// does not name both.
func frontPair(positions []byte) (left, right int) {
	left, right = slices.Index(positions, proto.ChannelFrontLeft), slices.Index(positions, proto.ChannelFrontRight)
	if left < 0 || right < 0 {
		return 0, min(1, max(0, len(positions)-1))
	}
	return left, right
}

// Find returns the device with a name, or the only one whose name or description contains it in upper or lower case.
// An empty name stands for the server's default device. The error lists the devices to choose from.
func Find(list []Sink, name string) (Sink, error) {
	isWanted := func(s Sink) bool { return s.Name == name }
	if name == "" {
		isWanted = func(s Sink) bool { return s.Default }
	}
	if i := slices.IndexFunc(list, isWanted); i >= 0 {
		return list[i], nil
	}
	var found []Sink
	for _, s := range list {
		if name != "" && (containsFold(s.Name, name) || containsFold(s.Description, name)) {
			found = append(found, s)
		}
	}
	switch {
	case len(list) == 0:
		return Sink{}, fmt.Errorf("audio: device %q not found: the sound server has no device; connect one", name)
	case name == "":
		return Sink{}, fmt.Errorf("audio: the sound server has no default device; name one of %s", names(list))
	case len(found) == 0:
		return Sink{}, fmt.Errorf("audio: device %q not found; name one of %s", name, names(list))
	case len(found) > 1:
		return Sink{}, fmt.Errorf("audio: %d devices match %q; name one of %s", len(found), name, names(found))
	}
	return found[0], nil
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// names returns the names and descriptions of devices in one line.
func names(list []Sink) string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = fmt.Sprintf("%s (%s)", s.Name, s.Description)
	}
	return strings.Join(texts, ", ")
}
