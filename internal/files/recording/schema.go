package recording

import (
	"strings"

	"github.com/foxglove/mcap/go/mcap"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"rig.example/rig/internal/core/channels"
)

// fieldType is the type of a message's field.
type fieldType = descriptorpb.FieldDescriptorProto_Type

const (
	doubleField = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
	floatField  = descriptorpb.FieldDescriptorProto_TYPE_FLOAT
	uint64Field = descriptorpb.FieldDescriptorProto_TYPE_UINT64
	boolField   = descriptorpb.FieldDescriptorProto_TYPE_BOOL
	stringField = descriptorpb.FieldDescriptorProto_TYPE_STRING
	bytesField  = descriptorpb.FieldDescriptorProto_TYPE_BYTES
)

// field is a field of a message; its number is its place, from 1.
type field struct {
	name     string
	kind     fieldType
	repeated bool
}

// topic is a stream of messages of one type.
type topic struct {
	id      uint16
	name    string // of the topic
	message string // name of the type
	fields  []field
}

// topics lists all topics of a recording of these channels.
func topics(list []channels.Channel) []topic {
	all := []topic{
		{inputsID, inputsTopic, "Inputs", []field{{"first_tick", uint64Field, false}, {"count", uint64Field, false}, {"changes", bytesField, false}}},
		{snapshotID, snapshotTopic, "Snapshot", []field{{"tick", uint64Field, false}, {"state", bytesField, false}}},
		{hashID, hashTopic, "Hash", []field{{"tick", uint64Field, false}, {"hash", uint64Field, false}}},
		{eventID, eventTopic, "Event", []field{{"kind", stringField, false}, {"text", stringField, false}}},
		{lapID, lapTopic, "Lap", []field{{"number", uint64Field, false}, {"time", doubleField, false}, {"valid", boolField, false}, {"sectors", doubleField, true}}},
		{gapID, gapTopic, "Gap", []field{{"missing_ticks", uint64Field, false}}},
	}
	for i, g := range groups(list) {
		t := topic{firstGroupID + uint16(i), "/" + g.name, messageName(g.name), nil}
		for _, i := range g.members {
			t.fields = append(t.fields, field{list[i].Name, floatField, false})
		}
		all = append(all, t)
	}
	return all
}

// group is a group of channels, by their places in the list.
type group struct {
	name    string
	members []int
}

// groups returns the groups of a list of channels, in order.
func groups(list []channels.Channel) (all []group) {
	for i := range list {
		if n := len(all); n == 0 || all[n-1].name != list[i].Group {
			all = append(all, group{name: list[i].Group})
		}
		last := &all[len(all)-1]
		last.members = append(last.members, i)
	}
	return all
}

// messageName returns the name of a group's message: WheelFl for wheel_fl.
func messageName(group string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(group, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// schema returns the schema of a topic, with a descriptor that stands alone.
func (t *topic) schema() (*mcap.Schema, error) {
	m := &descriptorpb.DescriptorProto{Name: proto.String(t.message)}
	for i, f := range t.fields {
		label := descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL
		if f.repeated {
			label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED
		}
		m.Field = append(m.Field, &descriptorpb.FieldDescriptorProto{
			Name: proto.String(f.name), JsonName: proto.String(f.name), Number: proto.Int32(int32(i + 1)), Type: f.kind.Enum(), Label: label.Enum(),
		})
	}
	data, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{{
		Name: proto.String("rig/" + t.message + ".proto"), Package: proto.String("rig"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{m},
	}}})
	return &mcap.Schema{ID: t.id, Name: "rig." + t.message, Encoding: "protobuf", Data: data}, err
}

func (t *topic) channel() *mcap.Channel {
	return &mcap.Channel{ID: t.id, SchemaID: t.id, Topic: t.name, MessageEncoding: "protobuf"}
}
