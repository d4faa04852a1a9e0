package g29

import (
	"encoding/binary"

	"rig.example/rig/test/vm/hiddesc"
	"rig.example/rig/test/vm/usbip"
)

// Model is a model of Logitech's wheels. All models have the same output reports.
type Model int

// Models.
const (
	G29 Model = iota
	G27
)

// USB product numbers of Logitech's wheels.
const (
	ProductG29          = 0xc24f
	ProductG27          = 0xc29b
	ProductDrivingForce = 0xc294 // every model in compatibility mode
)

const vendorLogitech = 0x046d

// modelData holds what differs between the models.
type modelData struct {
	product       uint16
	release       uint16 // USB release number (bcdDevice) in native mode
	compatRelease uint16 // release number in compatibility mode, by which the driver recognizes the model
	switchNumber  byte   // in the command that switches to native mode
	name          string
	descriptor    func() []byte
	report        func(Input) []byte
}

func (m Model) data() modelData {
	if m == G27 {
		return modelData{ProductG27, 0x1238, 0x1238, 0x04, "G27 Racing Wheel", hiddesc.G27, Input.reportG27}
	}
	return modelData{ProductG29, 0x8900, 0x1350, 0x05, "G29 Driving Force Racing Wheel", hiddesc.G29, Input.report}
}

// device returns the USB device of the model in native mode.
func (f modelData) device(output func([]byte)) *usbip.HID {
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

// compatDevice returns the USB device of the model in compatibility mode.
func (f modelData) compatDevice(output func([]byte)) *usbip.HID {
	h := f.device(output)
	h.Product, h.Release = ProductDrivingForce, f.compatRelease
	h.Name, h.Descriptor = "Driving Force", hiddesc.DrivingForce()
	return h
}

// reportG27 returns the input report of a G27, whose layout hiddesc.G27 describes. This wheel has 14 bits of
// steering and 22 buttons.
func (in Input) reportG27() []byte {
	const hatCentered, unusedSteer = 8, 2
	bits := hatCentered | uint64(in.Buttons&(1<<22-1))<<4 | uint64(in.Steer>>unusedSteer)<<26
	b := binary.LittleEndian.AppendUint64(nil, bits)[:5]
	return append(b, in.Gas, in.Brake, in.Clutch, 0, 0, 0)
}
