import { readFileSync } from 'node:fs'

/** Private words a new engineer would not understand, with their standard terms. */
const standardTerms = new Map(Object.entries(JSON.parse(readFileSync(new URL('./names.json', import.meta.url), 'utf8'))))

const wordsOf = (name) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/)

/** Declared names must use standard terms; numeric module constants must be upper snake case. */
export const names = {
  create(context) {
    if (!/[\\/]src[\\/]/.test(context.filename)) return {}
    const check = (node) => {
      if (node?.type !== 'Identifier') return
      const word = wordsOf(node.name).find((each) => standardTerms.has(each))
      if (word)
        context.report({
          node,
          message: `"${word}" is a private word: write ${standardTerms.get(word)} (tools/lint/names.json).`,
        })
    }
    return {
      FunctionDeclaration: ({ id }) => check(id),
      ClassDeclaration: ({ id }) => check(id),
      TSInterfaceDeclaration: ({ id }) => check(id),
      TSTypeAliasDeclaration: ({ id }) => check(id),
      VariableDeclarator(node) {
        check(node.id)
        if (node.id.type === 'Identifier' && isModuleNumber(node) && /[a-z]/.test(node.id.name))
          context.report({ node: node.id, message: `The number ${node.id.name} of this module is written in upper snake case.` })
      },
    }
  },
}

function isModuleNumber({ init, parent }) {
  const outer = parent.parent.type === 'ExportNamedDeclaration' ? parent.parent.parent : parent.parent
  return parent.kind === 'const' && outer.type === 'Program' && isNumber(init)
}

function isNumber(node) {
  if (node?.type === 'Literal') return typeof node.value === 'number'
  return node?.type === 'BinaryExpression' && isNumber(node.left) && isNumber(node.right)
}
