const fields = new Set(['input', 'textarea', 'select', 'Input', 'TextArea', 'Select'])

const isOff = ({ value }) => value?.type === 'Literal' && value.value === 'off'

/** Chromium writes the text of every other field to its session files, unencrypted. */
export const textFields = {
  create(context) {
    return {
      JSXOpeningElement(node) {
        if (!fields.has(node.name.name)) return
        const given = node.attributes.filter((attribute) => attribute.name?.name === 'autoComplete')
        if (given.length === 1 && isOff(given[0])) return
        context.report({ node, message: `<${node.name.name}> needs autoComplete="off": a browser writes its text to the disk.` })
      },
    }
  },
}
