package audio_test

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jfreymuth/pulse/proto"

	"rig.example/rig/internal/connect/audio"
)

// A busy machine may take longer than the limit of a real rig.
func TestMain(m *testing.M) {
	audio.SetLimit(5 * time.Minute)
	os.Exit(m.Run())
}

func TestFind(t *testing.T) {
	list := []audio.Sink{
		{Name: "alsa_output.pci-0.analog-stereo", Description: "Built-in Audio", Default: true},
		{Name: "alsa_output.usb-shaker", Description: "USB Sound Device"},
		{Name: "usb", Description: "Headset"},
	}
	tests := []struct {
		name, wanted string
		list         []audio.Sink
		found, err   string // name, or part of the error
	}{
		{"default", "", list, "alsa_output.pci-0.analog-stereo", ""},
		{"whole name", "alsa_output.usb-shaker", list, "alsa_output.usb-shaker", ""},
		{"whole name, part of another", "usb", list, "usb", ""},
		{"part of a name", "SHAKER", list, "alsa_output.usb-shaker", ""},
		{"part of a description", "built-in", list, "alsa_output.pci-0.analog-stereo", ""},
		{"two match", "alsa", list, "", `2 devices match "alsa"; name one of alsa_output.pci-0.analog-stereo (Built-in Audio), alsa_output.usb-shaker (USB Sound Device)`},
		{"none matches", "hdmi", list, "", `device "hdmi" not found; name one of alsa_output.pci-0.analog-stereo (Built-in Audio), alsa_output.usb-shaker (USB Sound Device), usb (Headset)`},
		{"no default", "", list[1:2], "", "no default device; name one of alsa_output.usb-shaker"},
		{"no device", "usb", nil, "", "the sound server has no device; connect one"},
	}
	for _, tt := range tests {
		got, err := audio.Find(tt.list, tt.wanted)
		if got.Name != tt.found || (err == nil) != (tt.err == "") {
			t.Errorf("%s: got %q, error %v; want %q", tt.name, got.Name, err, tt.found)
		}
		if err != nil {
			isOneLine(t, err, tt.err)
		}
	}
}

func TestFrontPair(t *testing.T) {
	for _, tt := range []struct {
		name        string
		positions   []byte
		left, right int
	}{
		{"mono", []byte{proto.ChannelMono}, 0, 0},
		{"stereo", []byte{proto.ChannelLeft, proto.ChannelRight}, 0, 1},
		{"front last", []byte{proto.ChannelRearLeft, proto.ChannelFrontRight, proto.ChannelFrontLeft}, 2, 1},
		{"no front", []byte{proto.ChannelAux0, proto.ChannelAux0 + 1, proto.ChannelAux0 + 2}, 0, 1},
		{"one front", []byte{proto.ChannelRearLeft, proto.ChannelRearRight, proto.ChannelFrontLeft}, 0, 1},
		{"none", nil, 0, 0},
	} {
		if left, right := audio.FrontPair(tt.positions); left != tt.left || right != tt.right {
			t.Errorf("%s: %d and %d, want %d and %d", tt.name, left, right, tt.left, tt.right)
		}
	}
}

func TestSamplesAreLimited(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	samples, want := []float32{0.5, -3, 1.5, nan, inf, -inf}, []float32{0.5, -1, 1, 0, 0, 0}
	data := make([]byte, 4*len(samples))
	audio.Encode(data, samples)
	for i, v := range want {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])); got != v {
			t.Errorf("%v is sent as %v, want %v", samples[i], got, v)
		}
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string][2]string{
		"/run/pulse/native":                {"unix", "/run/pulse/native"},
		"unix:/run/pulse/native":           {"unix", "/run/pulse/native"},
		"{0a1b}unix:/run/user/1000/native": {"unix", "/run/user/1000/native"},
		"tcp:cockpit:4714":                 {"tcp", "cockpit:4714"},
		"tcp6:[::1]":                       {"tcp6", "[::1]:4713"},
		"tcp4:192.168.1.7":                 {"tcp4", "192.168.1.7:4713"},
		"cockpit":                          {"tcp", "cockpit:4713"},
		"cockpit:4714":                     {"tcp", "cockpit:4714"},
		"{":                                {"tcp", "{:4713"},
	} {
		if got := audio.ParseAddress(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// isOneLine checks that an error is one line of this package that contains some text.
func isOneLine(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", text)
	}
	if s := err.Error(); strings.Contains(s, "\n") || strings.Count(s, "audio: ") != 1 || !strings.HasPrefix(s, "audio: ") || !strings.Contains(s, text) {
		t.Errorf("error %q, want a line of the package with %q", s, text)
	}
}
