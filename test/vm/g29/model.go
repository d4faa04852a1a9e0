package g29

import (
	"encoding/binary"

	"rig.example/rig/test/vm/hiddesc"
	"rig.example/rig/test/vm/usbip"
)

// Model is which of Logitech's wheels it is. They speak one language.
type Model int

// Models.
const (
	G29 Model = iota
	G27
)

// Products of Logitech's as which a wheel appears.
const (
	ProductG29          = 0xc24f
	ProductG27          = 0xc29b
	ProductDrivingForce = 0xc294 // any of them in compatibility mode
)

const vendorLogitech = 0x046d

// modelFacts are what tells a model from the others.
type modelFacts struct {
	product       uint16
	release       uint16 // in native mode
	compatRelease uint16 // in compatibility mode: by it the driver knows the model
	number        byte   // in the command that switches to native mode
	name          string
	descriptor    func() []byte
	report        func(Input) []byte
}

func (m Model) facts() modelFacts {
	if m == G27 {
		return modelFacts{ProductG27, 0x1238, 0x1238, 0x04, "G27 Racing Wheel", hiddesc.G27, Input.reportG27}
	}
	return modelFacts{ProductG29, 0x8900, 0x1350, 0x05, "G29 Driving Force Racing Wheel", hiddesc.G29, Input.report}
}

// device is the wheel on the bus in native mode.
func (f modelFacts) device(output func([]byte)) *usbip.HID {
	return &usbip.HID{
		Vendor:       vendorLogitech,
		Product:      f.product,
		Release:      f.release,
		Manufacturer: "Logitech",
		Name:         f.name,
		Descriptor:   f.descriptor(),
		Interval:     Interval,
		Output:       output,
	}
}

// compatible is the wheel on the bus in compatibility mode.
func (f modelFacts) compatible(output func([]byte)) *usbip.HID {
	h := f.device(output)
	h.Product, h.Release = ProductDrivingForce, f.compatRelease
	h.Name, h.Descriptor = "Driving Force", hiddesc.DrivingForce()
	return h
}

// reportG27 is in as 11 bytes; hiddesc.G27 tells their layout. The wheel has
// 14 bits of steering and 22 buttons.
func (in Input) reportG27() []byte {
	const hatCentred, unusedSteer = 8, 2
	bits := hatCentred | uint64(in.Buttons&(1<<22-1))<<4 | uint64(in.Steer>>unusedSteer)<<26
	b := binary.LittleEndian.AppendUint64(nil, bits)[:5]
	return append(b, in.Gas, in.Brake, in.Clutch, 0, 0, 0)
}
