import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { names } from './names.mjs'
import { textFields } from './text-fields.mjs'

const layers = JSON.parse(readFileSync(new URL('./layers.json', import.meta.url), 'utf8'))

function violation(file, specifier) {
  const [, root, layer] = /^(.*[\\/]src[\\/])([a-z]+)[\\/]/.exec(file) ?? []
  const rules = layers[layer]
  if (!rules) return null
  if (specifier.startsWith('.')) {
    const target = path.resolve(path.dirname(file), specifier)
    return target.startsWith(path.join(root, layer) + path.sep) ? null : `${layer} leaves its folder with "${specifier}"`
  }
  if (specifier.startsWith('#')) {
    const seen = specifier.slice(1).split('/')[0]
    return seen === layer || rules.sees.includes(seen) ? null : `${layer} may not see ${seen}`
  }
  const name = specifier.split('/')[0]
  if (specifier.startsWith('node:') || builtinModules.includes(name))
    return rules.node ? null : `${layer} may not use Node (${specifier})`
  if (name === 'electron') return rules.electron ? null : `${layer} may not see electron`
  return !rules.packages || rules.packages.includes(name) ? null : `${layer} may not use the package ${name}`
}

/** Rooms of a layer, from the bottom up; "." is the layer's own folder. A room may import itself and rooms below. */
const rooms = JSON.parse(readFileSync(new URL('./rooms.json', import.meta.url), 'utf8'))

function betweenRooms(file, specifier) {
  const [, root, layer, inside] = /^(.*[\\/]src[\\/])([a-z]+)[\\/](.+)/.exec(file) ?? []
  const order = rooms[layer]
  if (!order) return null
  const target = specifier.startsWith('.')
    ? path.relative(path.join(root, layer), path.resolve(path.dirname(file), specifier))
    : new RegExp(`^#${layer}/(.*)`).exec(specifier)?.[1]
  if (target === undefined) return null
  const [room, seen] = [roomOf(inside), roomOf(target)]
  if (!order.includes(room)) return `${layer} has no room "${room}"`
  return order.indexOf(seen) <= order.indexOf(room) && order.includes(seen) ? null : `in ${layer}, ${room} may not see ${seen}`
}

const roomOf = (inLayer) => (/[\\/]/.test(inLayer) ? inLayer.split(/[\\/]/)[0] : '.')

/** Features of the window must not import each other; shared code belongs outside of both. */
function betweenFeatures(file, specifier) {
  const [, feature] = /[\\/]src[\\/]renderer[\\/]features[\\/]([a-z-]+)[\\/]/.exec(file) ?? []
  const [, seen] = /^#renderer\/features\/([a-z-]+)\//.exec(specifier) ?? []
  return feature && seen && seen !== feature ? `the feature ${feature} may not see the feature ${seen}` : null
}

const wrong = (file, specifier) => violation(file, specifier) ?? betweenRooms(file, specifier) ?? betweenFeatures(file, specifier)

const check = (context) => (node) => {
  const message = typeof node.source?.value === 'string' ? wrong(context.filename, node.source.value) : null
  if (message)
    context.report({ node: node.source, message: `${message}. Imports point down only: tools/lint/layers.json and rooms.json.` })
}

const rule = {
  create(context) {
    const visit = check(context)
    return {
      ImportDeclaration: visit,
      ImportExpression: visit,
      ExportAllDeclaration: visit,
      ExportNamedDeclaration: visit,
      TSImportType: visit,
    }
  },
}

export default { meta: { name: 'house' }, rules: { layers: rule, names, 'text-fields': textFields } }
