"""Render scenes inside Blender (3.4 or later); their files are named on standard input, see studio.py."""

import json
import math
import sys

import bpy
from mathutils import Matrix, Vector

SAMPLES = 10
LAMP_AWAY = 14.0  # squares


def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.compression = 0
    scene.view_settings.view_transform = "Standard"
    cycles = scene.cycles
    cycles.samples, cycles.use_denoising, cycles.use_adaptive_sampling = SAMPLES, False, False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 3, 2, 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect, cycles.sample_clamp_direct = 2.0, 6.0
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    return scene


def clear():
    for stock in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.lights, bpy.data.cameras):
        for thing in list(stock):
            stock.remove(thing)


def linear(value):
    """Return a screen tone (sRGB) as linear light."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def material(part):
    made = bpy.data.materials.new("paint")
    made.use_nodes = True
    surface = made.node_tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = part["rough"]
    surface.inputs["Specular" if "Specular" in surface.inputs else "Specular IOR Level"].default_value = part["gloss"]
    surface.inputs["Clearcoat" if "Clearcoat" in surface.inputs else "Coat Weight"].default_value = part["coat"]
    if part["linen"]:
        grain, bump = made.node_tree.nodes.new("ShaderNodeTexNoise"), made.node_tree.nodes.new("ShaderNodeBump")
        places = made.node_tree.nodes.new("ShaderNodeTexCoord")
        grain.inputs["Scale"].default_value, bump.inputs["Strength"].default_value = part["fine"], part["linen"]
        made.node_tree.links.new(places.outputs["Object"], grain.inputs["Vector"])
        made.node_tree.links.new(grain.outputs["Fac"], bump.inputs["Height"])
        made.node_tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    if "texture" in part:
        picture = made.node_tree.nodes.new("ShaderNodeTexImage")
        picture.image = bpy.data.images.load(part["texture"], check_existing=True)
        made.node_tree.links.new(picture.outputs["Color"], surface.inputs["Base Color"])
    else:
        surface.inputs["Base Color"].default_value = (*map(linear, part["rgb"]), 1)
    return made


def add(mesh, part):
    thing = bpy.data.objects.new("thing", mesh)
    thing.data.materials.append(material(part))
    bpy.context.scene.collection.objects.link(thing)
    return thing


def sheet(part):
    mesh = bpy.data.meshes.new("sheet")
    mesh.from_pydata(part["corners"], [], [(0, 1, 2, 3)])
    layer = mesh.uv_layers.new()
    for corner, uv in zip(layer.data, part["uv"], strict=True):
        corner.uv = uv
    add(mesh, part)


def solid(part):
    """Add the solid that `part` describes to the scene, with faces that share corners.

    Blender can round the edges only if it finds them by such corners.
    """
    known, points, faces = {}, [], []
    for face in part["faces"]:
        numbers = []
        for point in face:
            key = tuple(round(value, 4) for value in point)
            if key not in known:
                known[key] = len(points)
                points.append(point)
            if known[key] not in numbers:
                numbers.append(known[key])
        if len(numbers) > 2:
            faces.append(numbers)
    mesh = bpy.data.meshes.new("solid")
    mesh.from_pydata(points, [], faces)
    mesh.validate()
    thing = add(mesh, part)
    if part["bevel"]:
        bevel = thing.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = part["bevel"], 2, "ANGLE"


def lamp(part):
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size = "DISK", part["size"]
    light.energy = part["power"] * math.pi * math.pi * LAMP_AWAY**2
    light.color = part["rgb"]
    thing = bpy.data.objects.new("lamp", light)
    at = Vector(part["at"])
    thing.matrix_world = Matrix.Translation(at) @ (at - Vector((2, 2, 0))).to_track_quat("Z", "Y").to_matrix().to_4x4()
    bpy.context.scene.collection.objects.link(thing)


def room(scene, wanted):
    tree = scene.world.node_tree
    tree.nodes.clear()
    out, light = tree.nodes.new("ShaderNodeOutputWorld"), tree.nodes.new("ShaderNodeBackground")
    tree.links.new(light.outputs["Background"], out.inputs["Surface"])
    light.inputs["Strength"].default_value = wanted["ambient"]
    light.inputs["Color"].default_value = (*wanted["tint"], 1)
    if wanted["room"]:
        picture = tree.nodes.new("ShaderNodeTexEnvironment")
        picture.image = bpy.data.images.load(wanted["room"], check_existing=True)
        tree.links.new(picture.outputs["Color"], light.inputs["Color"])
        light.inputs["Strength"].default_value *= 2  # such pictures are half dark


def camera(scene, wanted):
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width, lens.lens = "HORIZONTAL", 36, wanted["lens"] * 36
    lens.clip_start, lens.clip_end = 0.1, 1000
    thing = bpy.data.objects.new("camera", lens)
    turn = Matrix(wanted["axes"]).transposed().to_4x4()
    thing.matrix_world = Matrix.Translation(Vector(wanted["eye"])) @ turn
    scene.collection.objects.link(thing)
    scene.camera = thing
    scene.render.resolution_x, scene.render.resolution_y = wanted["size"]


def main():
    scene = start()
    for line in sys.stdin:
        with open(line.strip()) as file:
            wanted = json.load(file)
        clear()
        for one in wanted["sheets"]:
            sheet(one)
        for one in wanted["solids"]:
            solid(one)
        for one in wanted["lamps"]:
            lamp(one)
        room(scene, wanted)
        camera(scene, wanted)
        scene.cycles.seed = wanted["seed"]
        scene.render.filepath = wanted["out"]
        bpy.ops.render.render(write_still=True)
        print("rendered", flush=True)


main()
