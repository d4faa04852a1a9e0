// Package hiddesc builds HID report descriptors, and holds those of the wheels that the tests emulate.
//
// Items and their tags are defined in section 6.2.2 of the Device Class Definition for HID 1.11, usages in the
// HID Usage Tables.
package hiddesc

// Descriptor is a report descriptor under construction. Its methods append
// items and return the descriptor, so that they chain.
type Descriptor []byte

// Usage pages.
const (
	PageDesktop = 0x01
	PageButton  = 0x09
	PageVendor  = 0xff00
)

// Usages of the generic desktop page.
const (
	UsageJoystick = 0x04
	UsageX        = 0x30
	UsageY        = 0x31
	UsageZ        = 0x32
	UsageRz       = 0x35
	UsageHat      = 0x39
)

// Flags for Input, Output and Feature.
const (
	Constant  = 0x01 // padding
	Variable  = 0x02
	NullState = 0x40 // a value outside the range means "none", such as a released hat switch
)

// Kinds of collections.
const (
	Application = 0x01 // top-level collection
	Group       = 0x02 // logical collection
)

// Unit codes.
const (
	Degrees = 0x14
	Seconds = 0x1003
)

// Item tags. The two lowest bits, the size of the data, are still zero.
const (
	tagPage        = 0x04
	tagUsage       = 0x08
	tagLogicalMin  = 0x14
	tagUsageMin    = 0x18
	tagLogicalMax  = 0x24
	tagUsageMax    = 0x28
	tagPhysicalMin = 0x34
	tagPhysicalMax = 0x44
	tagExponent    = 0x54
	tagUnit        = 0x64
	tagSize        = 0x74
	tagInput       = 0x80
	tagReportID    = 0x84
	tagOutput      = 0x90
	tagCount       = 0x94
	tagCollection  = 0xa0
	tagFeature     = 0xb0
	tagEnd         = 0xc0
)

// item appends a tag with an unsigned value in 1, 2 or 4 bytes.
func (d *Descriptor) item(tag byte, v uint32) *Descriptor {
	switch {
	case v <= 0xff:
		*d = append(*d, tag|1, byte(v))
	case v <= 0xffff:
		*d = append(*d, tag|2, byte(v), byte(v>>8))
	default:
		*d = append(*d, tag|3, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return d
}

// signedItem appends a tag with a signed value: 255 takes two bytes here.
func (d *Descriptor) signedItem(tag byte, v int32) *Descriptor {
	switch {
	case v == int32(int8(v)):
		*d = append(*d, tag|1, byte(v))
	case v == int32(int16(v)):
		*d = append(*d, tag|2, byte(v), byte(v>>8))
	default:
		*d = append(*d, tag|3, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return d
}

// Page sets the page of the usages that follow.
func (d *Descriptor) Page(page uint32) *Descriptor { return d.item(tagPage, page) }

// Usages sets the usages of the next fields, in order.
func (d *Descriptor) Usages(usages ...uint32) *Descriptor {
	for _, u := range usages {
		d.item(tagUsage, u)
	}
	return d
}

// UsageRange sets the usages of the next fields to first … last.
func (d *Descriptor) UsageRange(first, last uint32) *Descriptor {
	return d.item(tagUsageMin, first).item(tagUsageMax, last)
}

// Range sets the range of the fields' values, and the same physical range.
func (d *Descriptor) Range(low, high int32) *Descriptor {
	return d.Logical(low, high).Physical(low, high)
}

// Logical sets the range of the fields' values.
func (d *Descriptor) Logical(low, high int32) *Descriptor {
	return d.signedItem(tagLogicalMin, low).signedItem(tagLogicalMax, high)
}

// Physical sets the physical values of both ends of the logical range, in the unit.
func (d *Descriptor) Physical(low, high int32) *Descriptor {
	return d.signedItem(tagPhysicalMin, low).signedItem(tagPhysicalMax, high)
}

// Unit sets the unit of the physical values. 0 means none.
func (d *Descriptor) Unit(code uint32) *Descriptor { return d.item(tagUnit, code) }

// Exponent multiplies the unit by 10 to the power of n, -8..7.
func (d *Descriptor) Exponent(n int8) *Descriptor { return d.item(tagExponent, uint32(n&0x0f)) }

// ReportID starts the report with this number.
func (d *Descriptor) ReportID(id uint32) *Descriptor { return d.item(tagReportID, id) }

// Fields sets the number of the next fields and the width of each [bit].
func (d *Descriptor) Fields(count, bits uint32) *Descriptor {
	return d.item(tagSize, bits).item(tagCount, count)
}

// Input adds the fields to the input report, which goes to the host.
func (d *Descriptor) Input(flags uint32) *Descriptor { return d.item(tagInput, flags) }

// Output adds the fields to the output report, which comes from the host.
func (d *Descriptor) Output(flags uint32) *Descriptor { return d.item(tagOutput, flags) }

// Feature adds the fields to the feature report, which the host can read and write.
func (d *Descriptor) Feature(flags uint32) *Descriptor { return d.item(tagFeature, flags) }

// Collection starts a group of fields.
func (d *Descriptor) Collection(kind uint32) *Descriptor { return d.item(tagCollection, kind) }

// End ends the last collection.
func (d *Descriptor) End() *Descriptor {
	*d = append(*d, tagEnd)
	return d
}
