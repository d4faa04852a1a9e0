//go:build cgo

package display

// The shaders, GLSL 3.30 core, in world axes: z is up. Those of the scene begin with the definitions of
// detail.shaderHeader.

// shaderAir is shared by all outdoor vertex shaders: the share of haze in a color, which hides the edge of the ground.
// Vertices are near enough to each other for what lies between them.
const shaderAir = `
uniform vec3 eye;
out float air;
float airTo(vec3 at) {
	float far = distance(at, eye) / 1100.0;
	return 1.0 - exp(-far * far - 0.25 * far);
}
`

// shaderHaze is shared by all outdoor fragment shaders.
const shaderHaze = `
in float air;
vec3 inAir(vec3 color) { return mix(color, vec3(0.74, 0.83, 0.91), air); }
`

// shaderLight lights the surface of the solid shaders, either at each pixel or at each vertex.
const shaderLight = `
const vec3 toSun = vec3(0.42, 0.36, 0.83);
uniform float glow;
// lit returns the color of a surface (color and gloss), and in the fourth component how bright its light is. The normal n
// and the ray from the eye have the length 1.
vec4 lit(vec4 surface, vec3 n, vec3 ray) {
	float sun = max(dot(n, toSun), 0.0);
	vec3 light = mix(vec3(0.36, 0.37, 0.36), vec3(0.56, 0.62, 0.70), n.z * 0.5 + 0.5) + vec3(0.62, 0.58, 0.50) * sun;
	vec3 c = surface.rgb * (light + glow);
	float gloss = surface.a;
	if (gloss > 0.02) {
		vec3 mirror = reflect(ray, n);
		float edge = 1.0 - max(dot(-ray, n), 0.0);
		vec3 sky = mix(vec3(0.30, 0.34, 0.30), vec3(0.62, 0.77, 0.95), smoothstep(-0.05, 0.25, mirror.z));
		c = mix(c, sky, gloss * (0.06 + 0.5 * edge * edge * edge));
		c += gloss * vec3(0.8) * pow(max(dot(mirror, toSun), 0.0), 60.0);
	}
	return vec4(c, light.g);
}
`

// The solid shaders draw the car, scenery and fixtures.
const solidVertexShader = shaderAir + shaderLight + `
layout(location = 0) in vec3 pos;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 paint;
uniform mat4 viewProj, model;
#if PIXEL_LIGHT
out vec3 ray, facing;
out vec4 surface;
#else
out vec4 look;
#endif
void main() {
	vec4 p = model * vec4(pos, 1.0);
	air = airTo(p.xyz);
#if PIXEL_LIGHT
	ray = p.xyz - eye;
	facing = mat3(model) * normal;
	surface = paint;
#else
	look = lit(paint, normalize(mat3(model) * normal), normalize(p.xyz - eye));
#endif
	gl_Position = viewProj * p;
}`

const solidFragmentShader = shaderHaze + shaderLight + `
#if PIXEL_LIGHT
in vec3 ray, facing;
in vec4 surface;
#else
in vec4 look;
#endif
uniform float fade; // 0 opaque, 1 invisible; what fades turns blue
out vec4 color;
void main() {
#if PIXEL_LIGHT
	vec4 look = lit(surface, normalize(facing), normalize(ray));
#endif
	color = vec4(mix(inAir(look.rgb), vec3(0.45, 0.86, 1.0) * (0.55 + 0.5 * look.a), min(2.0 * fade, 0.8)), 1.0 - fade);
}`

// roadVertexShader is linked with each of the three fragment shaders of the road.
const roadVertexShader = shaderAir + shaderSwell + `
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 along; // lateral, station, left, right
layout(location = 2) in vec4 more;  // kerb, verge, row, light
layout(location = 3) in vec4 tint;
uniform mat4 viewProj;
out vec2 at;
out vec3 look;
out vec4 place, side;
void main() {
	air = airTo(pos);
	swell = swellAt(pos.xy);
	at = pos.xy;
	place = along;
	side = more;
	look = tint.rgb;
	gl_Position = viewProj * vec4(pos, 1.0);
}`

// roadFragmentShader draws road of a single material from edge to edge, marksFragmentShader road of
// several materials or with lines across it, sideFragmentShader kerbs and verges.
const (
	roadFragmentShader = shaderHaze + shaderGround + shaderRoad + shaderLanes + `
		in vec3 look;
		void main() { color = vec4(inAir(lanes(bare(look, at)) * 0.97 * side.w), 1.0); }`
	marksFragmentShader = shaderHaze + shaderGround + shaderRoad + shaderLanes + shaderMarks
	sideFragmentShader  = shaderHaze + shaderGround + shaderRoad + shaderSide
)

// shaderRoad is shared by the three fragment shaders of the road. It declares their inputs, the texture of the
// materials, and a function for antialiased stripes.
const shaderRoad = `
in vec2 at;
in vec4 place, side;
uniform sampler2D paints;
uniform float start, lap;
out vec4 color;
// stripe returns the share of a pixel of size px that a stripe around 0 covers.
float stripe(float off, float halfWidth, float px) {
	return clamp((halfWidth - abs(off)) / px + 0.5, 0.0, 1.0) * min(1.0, 2.0 * halfWidth / px);
}
const float verges = VERGES / PAINTS, texel = 0.5 / PAINTS;
`

// shaderLanes paints the edge and center lines, and darkens the tire marks along the road.
const shaderLanes = `
vec3 lanes(vec3 c) {
	float lateral = place.x, station = place.y;
	vec2 px = max(fwidth(place.xy), vec2(1e-4));
	float lane = lateral > 0.0 ? lateral / place.z : -lateral / place.w;
	c *= 1.0 - 0.13 * smoothstep(0.30, 0.0, abs(lane - 0.42));
	float edge = lateral > 0.0 ? place.z - lateral : place.w + lateral;
	float white = stripe(edge - 0.20, 0.09, px.x);
	float dash = clamp((1.5 - abs(mod(station, 9.0) - 4.5)) / px.y + 0.5, 0.0, 1.0);
	white = max(white, stripe(lateral, 0.075, px.x) * mix(dash, 0.33, clamp(px.y / 4.0 - 0.5, 0.0, 1.0)));
	return mix(c, vec3(0.93), white * 0.92);
}
`

// shaderMarks draws road with several materials, the sector lines and the start line.
const shaderMarks = `
uniform vec4 sectors[2]; // stations
float nearest(vec4 off) {
	off = abs(off);
	return min(min(off.x, off.y), min(off.z, off.w));
}
void main() {
	float lateral = place.x, station = place.y, px = max(fwidth(station), 1e-4);
	float u = verges + clamp((place.z - lateral) / (place.z + place.w) * (1.0 - 2.0 * verges), texel, 1.0 - 2.0 * verges - texel);
	vec3 c = lanes(bare(texture(paints, vec2(u, side.z)).rgb, at));
	float sector = min(nearest(station - sectors[0]), nearest(station - sectors[1]));
	c = mix(c, vec3(0.95, 0.80, 0.10), stripe(sector, 0.25, px) * 0.9);
	float grid = stripe(mod(station - start + 0.5 * lap, lap) - 0.5 * lap - 1.0, 1.0, px);
	vec2 cell = floor(vec2(lateral, station - start) * 2.0);
	c = mix(c, vec3(0.92) * mod(cell.x + cell.y, 2.0) + 0.04, grid);
	color = vec4(inAir(c * 0.97 * side.w), 1.0);
}`

// shaderSide draws kerbs, verges and the lines of the pit lane.
const shaderSide = `
uniform vec4 pit; // from, to, right, left
// kerbColor alternates red and white along the road.
vec3 kerbColor(float station, float px) {
	float wave = sin(station * 3.14159265 / 1.2);
	float red = clamp(wave / max(3.14159265 / 1.2 * px, 1e-4) + 0.5, 0.0, 1.0);
	return mix(vec3(0.90), vec3(0.78, 0.10, 0.08), mix(red, 0.5, clamp(px / 1.2 - 0.4, 0.0, 1.0)));
}
void main() {
	float lateral = place.x, station = place.y;
	vec2 px = max(fwidth(place.xy), vec2(1e-4));
	float outside = lateral > 0.0 ? lateral - place.z : -lateral - place.w; // distance from the road's edge [m]
	float u = clamp(verges * (1.0 - outside / max(side.y, 0.01)), texel, verges - texel);
	vec3 c = ground(texture(paints, vec2(lateral > 0.0 ? u : 1.0 - u, side.z)), at);
	if (mod(station - pit.x, lap) < mod(pit.y - pit.x, lap)) {
		c = mix(c, vec3(0.93), 0.9 * max(stripe(lateral - pit.z, 0.08, px.x), stripe(lateral - pit.w, 0.08, px.x)));
	}
	if (outside < side.x) c = kerbColor(station, px.y);
	color = vec4(inAir(c * 0.97 * side.w), 1.0);
}`

// shaderSwell is shared by the vertex shaders of the ground: a slow change of its brightness, 0..1, in place of a texture.
const shaderSwell = `
out float swell;
float swellAt(vec2 at) {
	return 0.5 + 0.13 * sin(at.x * 0.11 + 1.3 * sin(at.y * 0.043)) + 0.13 * sin(at.y * 0.09 + 1.7 * sin(at.x * 0.037));
}
`

// shaderGround colors the ground: mown grass where vegetation grows, bare ground elsewhere. The two levels of its noise
// come from a texture as far as the quality allows.
const shaderGround = `
uniform sampler2D clouds;
in float swell;
#if NOISE > 0
float fine(vec2 at) { return texture(clouds, at).r; }
#else
float fine(vec2 at) { return 0.5; }
#endif
#if NOISE > 1
float broad(vec2 at) { return texture(clouds, at).r; }
#else
float broad(vec2 at) { return swell; }
#endif
vec3 bare(vec3 paint, vec2 at) {
	return paint * (0.72 + 0.34 * fine(at * 0.9) + 0.24 * broad(at * 0.021));
}
vec3 ground(vec4 paint, vec2 at) {
	float lush = step(0.5, paint.a);
	vec2 scale = mix(vec2(0.9, 0.021), vec2(0.23, 0.0117), lush);
	float fine = fine(at * scale.x), broad = broad(at * scale.y);
	float mown = step(0.5, fract((at.x + at.y) / 28.0));
	mown = mix(mown, 0.5, smoothstep(0.04, 0.27, air)); // from 120 to 500 m
	vec3 grass = mix(vec3(0.66, 0.82, 0.70), vec3(1.35, 1.20, 1.30), broad * 0.7 + 0.15) * (0.72 + 0.52 * fine + 0.07 * mown);
	return paint.rgb * mix(vec3(0.72 + 0.34 * fine + 0.24 * broad), grass, lush);
}
`

// The ground shaders draw terrain and verges.
const groundVertexShader = shaderAir + shaderSwell + `
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 tint;
layout(location = 2) in float light;
uniform mat4 viewProj;
uniform vec3 origin;
out vec2 at;
out vec4 paint;
out float sun;
void main() {
	vec3 p = pos + origin;
	air = airTo(p);
	swell = swellAt(p.xy);
	at = p.xy;
	paint = tint;
	sun = light;
	gl_Position = viewProj * vec4(p, 1.0);
}`

const groundFragmentShader = shaderHaze + shaderGround + `
in vec2 at;
in vec4 paint;
in float sun;
out vec4 color;
void main() { color = vec4(inAir(ground(paint, at) * sun), 1.0); }`

// The sky shaders draw the sky behind everything else: its directions from the eye lie infinitely far away.
const skyVertexShader = `#version 330 core
layout(location = 0) in vec3 direction;
layout(location = 1) in vec3 tint;
uniform mat4 viewProj;
out vec3 look;
void main() {
	look = tint;
	gl_Position = (viewProj * vec4(direction, 0.0)).xyww;
}`

const skyFragmentShader = `#version 330 core
in vec3 look;
out vec4 color;
void main() { color = vec4(look, 1.0); }`

// The shadow shaders draw the soft shadow below the car.
const shadowVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
uniform mat4 viewProj, model;
out vec2 at;
void main() {
	at = pos;
	gl_Position = viewProj * model * vec4(pos, 0.0, 1.0);
}`

const shadowFragmentShader = `#version 330 core
in vec2 at;
out vec4 color;
void main() {
	vec2 off = max(abs(at) - vec2(0.62, 0.45), 0.0) / vec2(0.38, 0.55);
	color = vec4(0.0, 0.0, 0.02, 0.62 * (1.0 - smoothstep(0.0, 1.0, length(off))));
}`

// The overlay shaders draw the instruments.
const overlayVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 paint;
uniform vec2 size; // of the picture in layout units
out vec2 where;
out vec4 tint;
void main() {
	where = texel;
	tint = paint;
	gl_Position = vec4(pos.x / size.x * 2.0 - 1.0, 1.0 - pos.y / size.y * 2.0, 0.0, 1.0);
}`

const overlayFragmentShader = `#version 330 core
in vec2 where;
in vec4 tint;
uniform sampler2D letters;
out vec4 color;
void main() { color = vec4(tint.rgb, tint.a * texture(letters, where).r); }`
