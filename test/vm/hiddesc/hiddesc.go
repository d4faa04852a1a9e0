// Package hiddesc assembles HID report descriptors and holds those of the
// wheels that the tests emulate.
//
// Items and their tags are section 6.2.2 of the Device Class Definition for
// HID 1.11; usages are of the HID Usage Tables.
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

// Usages of the desktop page.
const (
	UsageJoystick = 0x04
	UsageX        = 0x30
	UsageY        = 0x31
	UsageZ        = 0x32
	UsageRz       = 0x35
	UsageHat      = 0x39
)

// Flags of Input, Output and Feature.
const (
	Constant  = 0x01 // padding
	Variable  = 0x02
	NullState = 0x40 // a value outside the range says "none"
)

// Kinds of collections.
const (
	Application = 0x01 // the top one
	Group       = 0x02 // "logical"
)

// Unit codes.
const (
	Degrees = 0x14
	Seconds = 0x1003
)

// Item tags, with the two bits of the data's size still zero.
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

// limit appends a tag with a signed value: 255 takes two bytes here.
func (d *Descriptor) limit(tag byte, v int32) *Descriptor {
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

// Usages says what the next fields are, one after the other.
func (d *Descriptor) Usages(usages ...uint32) *Descriptor {
	for _, u := range usages {
		d.item(tagUsage, u)
	}
	return d
}

// UsageRange gives the next fields the usages first to last.
func (d *Descriptor) UsageRange(first, last uint32) *Descriptor {
	return d.item(tagUsageMin, first).item(tagUsageMax, last)
}

// Range sets the values a field may have, and the same physical ones.
func (d *Descriptor) Range(low, high int32) *Descriptor {
	return d.Logical(low, high).Physical(low, high)
}

// Logical sets the values a field may have.
func (d *Descriptor) Logical(low, high int32) *Descriptor {
	return d.limit(tagLogicalMin, low).limit(tagLogicalMax, high)
}

// Physical says what the ends of the logical range mean, in the unit.
func (d *Descriptor) Physical(low, high int32) *Descriptor {
	return d.limit(tagPhysicalMin, low).limit(tagPhysicalMax, high)
}

// Unit sets the unit of physical values; 0 is none.
func (d *Descriptor) Unit(code uint32) *Descriptor { return d.item(tagUnit, code) }

// Exponent scales the unit by 10 to the power of n, -8..7.
func (d *Descriptor) Exponent(n int8) *Descriptor { return d.item(tagExponent, uint32(n&0x0f)) }

// ReportID begins the report of that number.
func (d *Descriptor) ReportID(id uint32) *Descriptor { return d.item(tagReportID, id) }

// Fields says how many fields follow and how wide each is [bit].
func (d *Descriptor) Fields(count, bits uint32) *Descriptor {
	return d.item(tagSize, bits).item(tagCount, count)
}

// Input puts the fields into the report to the host.
func (d *Descriptor) Input(flags uint32) *Descriptor { return d.item(tagInput, flags) }

// Output puts the fields into the report from the host.
func (d *Descriptor) Output(flags uint32) *Descriptor { return d.item(tagOutput, flags) }

// Feature puts the fields into the report that goes both ways on request.
func (d *Descriptor) Feature(flags uint32) *Descriptor { return d.item(tagFeature, flags) }

// Collection opens a group of fields.
func (d *Descriptor) Collection(kind uint32) *Descriptor { return d.item(tagCollection, kind) }

// End closes a collection.
func (d *Descriptor) End() *Descriptor {
	*d = append(*d, tagEnd)
	return d
}
