//go:build cgo

package display

// The shaders, GLSL 3.30 core, in world axes: z is up. Those of the scene begin with the definitions of
// detail.shaderHeader.

// shaderAir is shared by all outdoor vertex shaders: the share of haze in a color, which hides the edge of the ground.
// Vertices are near enough to each other for what lies between them.
const shaderAir = `
uniform vec3 eye;
out float air;
#if RAIN
uniform float rain;
#else
const float rain = 0.0;
#endif
float airTo(vec3 at) {
	float far = distance(at, eye) * (1.0 + 2.0 * rain) / 1100.0;
	return 1.0 - exp(-far * far - 0.25 * far);
}
`

// shaderLamps is the light of the car's headlamps on what is ahead of them.
const shaderLamps = `
#if LAMPS
uniform vec4 lamps; // where they are, and their direction of length 1
uniform float lampReach; // [m]
float lampLight(vec2 at) {
	vec2 off = at - lamps.xy;
	float ahead = dot(off, lamps.zw), aside = abs(dot(off, vec2(-lamps.w, lamps.z))), far = ahead / lampReach;
	return smoothstep(0.3, 5.0, ahead) * smoothstep(1.0, 0.25, aside / (1.1 + 0.36 * ahead)) / (1.0 + far * far);
}
#endif
`

// shaderHaze is shared by all outdoor fragment shaders.
const shaderHaze = `
in float air;
#if RAIN
uniform float overcast;
vec3 inAir(vec3 color) { return mix(color, mix(HAZE, CLOUD, overcast), air); }
#else
vec3 inAir(vec3 color) { return mix(color, HAZE, air); }
#endif
`

// shaderLight lights the surface of the solid shaders, either at each pixel or at each vertex.
const shaderLight = `
const vec3 toSun = TO_SUN;
uniform float glow;
#if RAIN
float sunshine() { return 1.0 - min(2.7 * rain, 0.9); }
#else
float sunshine() { return 1.0; }
#endif
// lit returns the color of a surface (color and gloss), and in the fourth component how bright its light is. The normal n
// and the ray from the eye have the length 1.
vec4 lit(vec4 surface, vec3 n, vec3 ray) {
	float sun = max(dot(n, toSun), 0.0) * sunshine();
	vec3 light = mix(LIGHT_BELOW, LIGHT_ABOVE, n.z * 0.5 + 0.5) + LIGHT_SUN * sun;
	vec3 c = surface.rgb * (light + glow);
	float gloss = surface.a;
	if (gloss > 0.02) {
		vec3 mirror = reflect(ray, n);
		float edge = 1.0 - max(dot(-ray, n), 0.0);
		vec3 sky = mix(MIRROR_LOW, MIRROR_HIGH, smoothstep(-0.05, 0.25, mirror.z));
		c = mix(c, sky, gloss * (0.06 + 0.5 * edge * edge * edge));
		c += gloss * vec3(0.8) * sunshine() * pow(max(dot(mirror, toSun), 0.0), 60.0);
	}
	return vec4(c, light.g);
}
`

// The solid shaders draw the car, scenery and fixtures.
const solidVertexShader = shaderAir + shaderLight + shaderLamps + `
layout(location = 0) in vec3 pos;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 paint;
uniform mat4 viewProj, model;
#if LAMPS
out vec3 lampGlow;
#endif
#if PIXEL_LIGHT
out vec3 ray, facing;
out vec4 surface;
#else
out vec4 look;
#endif
void main() {
	vec4 p = model * vec4(pos, 1.0);
	air = airTo(p.xyz);
#if LAMPS
	lampGlow = paint.rgb * lampLight(p.xy) * abs(dot(normalize(mat3(model) * normal).xy, lamps.zw));
#endif
#if PIXEL_LIGHT
	ray = p.xyz - eye;
	facing = mat3(model) * normal;
	surface = paint;
#else
	look = lit(paint, normalize(mat3(model) * normal), normalize(p.xyz - eye));
#endif
	gl_Position = viewProj * p;
}`

const solidFragmentShader = shaderHaze + `
#if RAIN
uniform float rain;
#endif
` + shaderLight + `

#if LAMPS
in vec3 lampGlow;
#else
const vec3 lampGlow = vec3(0.0);
#endif
#if PIXEL_LIGHT
in vec3 ray, facing;
in vec4 surface;
#else
in vec4 look;
#endif
uniform float fade; // 0 opaque, 1 invisible
uniform float blue; // 1: what fades turns blue
out vec4 color;
void main() {
#if PIXEL_LIGHT
	vec4 look = lit(surface, normalize(facing), normalize(ray));
#endif
	color = vec4(mix(inAir(look.rgb + lampGlow), vec3(0.45, 0.86, 1.0) * (0.55 + 0.5 * look.a), blue * min(2.0 * fade, 0.8)), 1.0 - fade);
}`

// The sky shaders draw the sky behind everything else: its directions from the eye lie infinitely far away.
const skyVertexShader = `#version 330 core
layout(location = 0) in vec3 direction;
layout(location = 1) in vec3 tint;
uniform mat4 viewProj;
uniform vec4 cloud;     // color of rain clouds, and how much of the sky they cover
uniform float strength; // factor on the light
out vec3 look;
void main() {
	look = mix(tint, cloud.rgb * (1.0 - 0.25 * direction.z / length(direction)), cloud.a) * strength;
	gl_Position = (viewProj * vec4(direction, 0.0)).xyww;
}`

const skyFragmentShader = `#version 330 core
in vec3 look;
out vec4 color;
void main() { color = vec4(look, 1.0); }`

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
