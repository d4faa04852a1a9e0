package evdev

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// firstOf chooses the first device that could be queried.
func firstOf(list []Info) (Info, error) {
	for _, i := range list {
		if i.Err == nil {
			return i, nil
		}
	}
	return Info{}, errors.New("wheel: not found")
}

func TestOnlyTheSameDeviceReturns(t *testing.T) {
	const vendor = 0x046d
	serial := Info{Path: "/dev/input/event5", Name: "G29", Vendor: vendor, Product: 0xc24f, Phys: "usb-0-2/input0", Uniq: "A1"}
	plain, unknown := serial, serial
	plain.Uniq = ""
	unknown.Uniq, unknown.Phys = "", ""
	with := func(i Info, change func(i *Info)) Info {
		i.Path = "/dev/input/event9"
		change(&i)
		return i
	}
	twin := with(serial, func(i *Info) { i.Phys = "usb-0-3/input0" })
	for _, tt := range []struct {
		name            string
		used            Info
		atLoss, return_ []Info
		want            bool
	}{
		{"with its serial number at its port", serial, nil, []Info{with(serial, func(*Info) {})}, true},
		{"with its serial number at another port", serial, nil, []Info{twin}, true},
		{"a twin with the same serial number", serial, []Info{twin}, []Info{twin}, false},
		{"at its port beside a twin with its serial number", serial, []Info{twin}, []Info{twin, serial}, true},
		{"another serial number at its port", serial, nil, []Info{with(serial, func(i *Info) { i.Uniq = "B2" })}, false},
		{"another node with its serial number", serial, nil, []Info{with(serial, func(i *Info) { i.Phys = "usb-0-3/input1" })}, false},
		{"no serial number, at its port", plain, nil, []Info{with(plain, func(*Info) {})}, true},
		{"no serial number, at another port", plain, nil, []Info{with(plain, func(i *Info) { i.Phys = "usb-0-3/input0" })}, false},
		{"at its port in another mode", plain, nil, []Info{with(plain, func(i *Info) { i.Product = 0xc294 })}, true},
		{"in another mode, which tells its serial number", plain, nil, []Info{with(serial, func(i *Info) { i.Product = 0xc294 })}, true},
		{"of another maker at its port", plain, nil, []Info{with(plain, func(i *Info) { i.Vendor = 0x044f })}, false},
		{"without anything that identifies it", unknown, nil, []Info{with(unknown, func(*Info) {})}, true},
		{"without anything that identifies it, another model", unknown, nil, []Info{with(unknown, func(i *Info) { i.Name = "G27" })}, false},
	} {
		var r Returning
		choose := func(list []Info) (Info, error) { return r.Choose("wheel", list, firstOf) }
		if got, err := choose([]Info{tt.used}); err != nil || got.Path != tt.used.Path {
			t.Fatalf("%s: at first %+v, %v", tt.name, got, err)
		}
		r.Use(tt.used)
		if _, err := choose(tt.atLoss); err == nil {
			t.Errorf("%s: found although it was lost", tt.name)
		}
		got, err := choose(tt.return_)
		if (err == nil) != tt.want || err == nil && !r.isSame(got) {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
		if !tt.want && err != nil && (!strings.Contains(err.Error(), "is another one than G29 (") || !strings.HasPrefix(err.Error(), "wheel: ") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestAMissingDeviceIsNamedWithItsTwin(t *testing.T) {
	var r Returning
	r.Use(Info{Path: "/dev/input/event5", Name: "G29", Phys: "usb-0-2/input0"})
	denied := Info{Path: "/dev/input/event1", Err: fs.ErrPermission}
	_, err := r.Choose("wheel", []Info{denied, {Path: "/dev/input/event7", Name: "G29", Phys: "usb-0-3/input0"}}, firstOf)
	const want = "wheel: G29 (port usb-0-3/input0, /dev/input/event7) is another one than G29 (port usb-0-2/input0, /dev/input/event5), with which this drive began, " +
		"and is not used; plug that one in again at its port, or end the drive and begin a new one"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if _, err = r.Choose("wheel", []Info{denied}, firstOf); err == nil || err.Error() != "wheel: not found" {
		t.Errorf("without a twin: %v", err)
	}
}
