import { parseSync } from 'vite'

/**
 * Rewrites the operators of the app's sources into calls of src/lib/template/operators.ts, for the build that draws the
 * first HTML: `a && b` on page data records both branches. On other values the calls do what JavaScript does.
 * Constructs that cannot be recorded (`if` without return, `switch`, `typeof`, loops, arithmetic, methods of the
 * language) fail the build with file and line. The browser's code is built without this plugin.
 */
export function bothWays({
  include = /\/src\/(?!lib\/template\/|app\/(?:entry-|first-html)).*\.tsx?$/,
  root = process.cwd(),
} = {}) {
  return {
    name: 'both-ways',
    enforce: 'pre',
    transform(code, id) {
      const [path] = id.split('?')
      if (!include.test(path)) return null
      const file = path.startsWith(root) ? path.slice(root.length).replace(/^\//, '') : path
      return { code: rewrite(code, file), map: null }
    },
  }
}

const comparisons = {
  '===': 'equal',
  '!==': 'unequal',
  '==': 'loose',
  '!=': 'looseNot',
  '<': 'less',
  '>': 'more',
  '<=': 'atMost',
  '>=': 'atLeast',
}
const logical = { '&&': 'and', '||': 'or', '??': 'nullish' }
/** Functions of the language that take values and would take a recorded one for an object. */
const globals = new Set(['Boolean', 'Number', 'parseInt', 'parseFloat', 'isNaN', 'encodeURIComponent'])

/** The source with its operators as calls. */
export function rewrite(code, file) {
  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const writer = new Writer(code, file)
  const body = writer.write(program)
  return writer.used ? `import * as $t from '@/lib/template/operators';${body}` : code
}

class Writer {
  used = false
  /** Nodes that are assigned to, and so are not values. */
  targets = new Set()
  /** The bodies of functions that draw elements. */
  drawing = new Set()
  chains = 0

  constructor(code, file) {
    this.code = code
    this.file = file
  }

  /** The source of a node, its descendants rewritten. */
  write(node) {
    const special = this[node.type]?.(node)
    return special ?? this.copied(node)
  }

  /** The node's own text around its rewritten children. */
  copied(node, replaced = new Map()) {
    let out = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      // A shorthand property is its key and its value at once.
      if (child.start < at) continue
      out += this.code.slice(at, child.start) + (replaced.get(child) ?? this.write(child))
      at = child.end
    }
    return out + this.code.slice(at, node.end)
  }

  call(name, ...args) {
    this.used = true
    return `$t.${name}(${args.join(', ')})`
  }

  /** Where a node stands, for messages: 'src/features/…/card.tsx:12'. */
  at(node) {
    return JSON.stringify(`${this.file}:${this.code.slice(0, node.start).split('\n').length}`)
  }

  /** Fails the build if the value is page data. */
  plain(node, what) {
    return this.call('plain', this.write(node), this.at(node), JSON.stringify(what))
  }

  later(node) {
    return `() => (${this.write(node)})`
  }

  LogicalExpression(node) {
    if (waits(node.right))
      return this.copied(node, new Map([[node.left, this.plain(node.left, node.operator)]]))
    return this.call(logical[node.operator], this.write(node.left), this.later(node.right), this.at(node))
  }

  ConditionalExpression(node) {
    if (waits(node.consequent) || waits(node.alternate)) {
      return this.copied(node, new Map([[node.test, this.plain(node.test, '?:')]]))
    }
    const branches = [this.later(node.consequent), this.later(node.alternate)]
    return this.call('choose', this.write(node.test), ...branches, this.at(node))
  }

  UnaryExpression(node) {
    if (node.operator === '!') return this.call('not', this.write(node.argument), this.at(node))
    if (node.operator === 'delete') this.target(node.argument)
    if (node.operator === 'typeof') return this.call('typeOf', this.later(node.argument), this.at(node))
    return undefined
  }

  BinaryExpression(node) {
    const { operator, left, right } = node
    const name = operator === '+' ? 'add' : comparisons[operator]
    if (name) return this.call(name, this.write(left), this.write(right), this.at(node))
    if (operator === 'in' || operator === 'instanceof') {
      if (left.type === 'PrivateIdentifier') return undefined
      return this.copied(node, new Map([[left, this.plain(left, operator)]]))
    }
    return undefined
  }

  AssignmentExpression(node) {
    this.target(node.left)
    if (node.operator === '=') return undefined
    const name = logical[node.operator.slice(0, -1)]
    if (name && node.left.type === 'Identifier') {
      const target = this.code.slice(node.left.start, node.left.end)
      return `(${target} = ${this.call(name, target, this.later(node.right), this.at(node))})`
    }
    return this.copied(node, new Map([[node.right, this.plain(node.right, node.operator)]]))
  }

  IfStatement(node) {
    return this.copied(node, new Map([[node.test, this.plain(node.test, 'if')]]))
  }

  WhileStatement(node) {
    return this.copied(node, new Map([[node.test, this.plain(node.test, 'while')]]))
  }

  DoWhileStatement(node) {
    return this.copied(node, new Map([[node.test, this.plain(node.test, 'while')]]))
  }

  ForStatement(node) {
    return node.test ? this.copied(node, new Map([[node.test, this.plain(node.test, 'for')]])) : undefined
  }

  SwitchStatement(node) {
    return this.copied(node, new Map([[node.discriminant, this.plain(node.discriminant, 'switch')]]))
  }

  SwitchCase(node) {
    return node.test ? this.copied(node, new Map([[node.test, this.plain(node.test, 'case')]])) : undefined
  }

  /** `a?.b.c` is `optional(a, (v) => v.b.c)`; the first `?.` of a chain is outermost. */
  ChainExpression(node) {
    const first = firstOptional(node.expression)
    if (!first || first.type !== 'MemberExpression' || waits(node)) return undefined
    const value = `v${(this.chains += 1)}`
    const object = this.write(first.object)
    const rest = this.rest(node.expression, first, value)
    return this.call('optional', object, `(${value}) => (${rest})`)
  }

  /** The chain above `first`, whose object is `value`. */
  rest(node, first, value) {
    if (node === first) {
      const name = this.code.slice(node.property.start, node.property.end)
      return node.computed
        ? this.call('index', value, this.write(node.property), this.at(node))
        : `${value}.${name}`
    }
    const inner = innerOf(node)
    if (node.type === 'CallExpression' && !node.optional && inner.type === 'MemberExpression') {
      if (inner === first) return this.methodCall(node, value)
      if (!inner.optional) return this.methodCall(node, this.rest(inner.object, first, value))
    }
    if (node.optional && node.type === 'MemberExpression') {
      const next = `v${(this.chains += 1)}`
      const object = this.rest(inner, first, value)
      return this.call('optional', object, `(${next}) => (${this.rest(node, node, next)})`)
    }
    return this.copied(node, new Map([[inner, this.rest(inner, first, value)]]))
  }

  MemberExpression(node) {
    if (node.object.type === 'Super' || hasOptional(node) || node.object.type === 'MetaProperty')
      return undefined
    if (node.computed && !this.targets.has(node)) {
      return this.call('index', this.write(node.object), this.write(node.property), this.at(node))
    }
    if (!node.computed && node.property.name === 'length' && !this.targets.has(node)) {
      return this.call('length', this.write(node.object), this.at(node))
    }
    return undefined
  }

  CallExpression(node) {
    const { callee, arguments: args, optional } = node
    if (optional) return undefined
    if (callee.type === 'MemberExpression') {
      const own = callee.object.type === 'Super' || callee.object.type === 'MetaProperty'
      if (own || hasOptional(callee) || callee.property.type === 'PrivateIdentifier') return undefined
      return this.methodCall(node, this.write(callee.object))
    }
    if (callee.type === 'Identifier' && globals.has(callee.name)) {
      return this.call('native', callee.name, this.list(args), this.at(node))
    }
    return undefined
  }

  methodCall({ callee: { computed, property }, arguments: args, start }, object) {
    const name = computed ? this.write(property) : JSON.stringify(property.name)
    return this.call('method', object, name, this.list(args), this.at({ start }))
  }

  list(nodes) {
    return `[${nodes.map((node) => this.write(node)).join(', ')}]`
  }

  NewExpression(node) {
    const args = node.arguments.filter(({ type }) => type !== 'SpreadElement')
    return this.copied(node, new Map(args.map((arg) => [arg, this.plainArgument(arg)])))
  }

  plainArgument(arg) {
    return /Literal$|Function/.test(arg.type) || arg.object?.type === 'MetaProperty'
      ? this.write(arg)
      : this.plain(arg, 'new')
  }

  target(node) {
    this.targets.add(node)
  }

  SpreadElement(node) {
    return `...${this.plain(node.argument, '...')}`
  }

  JSXSpreadAttribute(node) {
    return `{...${this.plain(node.argument, '...')}}`
  }

  UpdateExpression(node) {
    this.target(node.argument)
    return undefined
  }

  JSXOpeningElement(node) {
    const tag = node.name.type === 'JSXIdentifier' ? node.name.name : ''
    if (!/^[a-z]/.test(tag)) return undefined
    const replaced = new Map()
    for (const attribute of node.attributes) {
      if (attribute.type === 'JSXSpreadAttribute') {
        const spread = this.call(
          'attributes',
          JSON.stringify(tag),
          this.write(attribute.argument),
          this.at(attribute),
        )
        replaced.set(attribute, `{...${spread}}`)
      } else if (isDynamic(attribute)) {
        const name = JSON.stringify(attribute.name.name)
        const props = `{ ${name}: ${this.write(attribute.value.expression)} }`
        replaced.set(
          attribute,
          `{...${this.call('attributes', JSON.stringify(tag), props, this.at(attribute))}}`,
        )
      }
    }
    return this.copied(node, replaced)
  }

  FunctionDeclaration(node) {
    return this.withDefaults(node)
  }

  FunctionExpression(node) {
    return this.withDefaults(node)
  }

  ArrowFunctionExpression(node) {
    return this.withDefaults(node)
  }

  /** A default of a parameter holds where page data has no value: it is said once more in the body. */
  withDefaults(node) {
    if (!node.body) return undefined
    if (!node.async && !node.generator && drawsElements(node.body)) this.drawing.add(node.body)
    const defaults = defaultsIn(node.params)
    if (defaults.length === 0) return undefined
    const lines = defaults.map(
      ({ left, right }) =>
        `${left.name} = ${this.call('defaulted', left.name, this.later(right), this.at(left))}`,
    )
    const body =
      node.body.type === 'BlockStatement'
        ? `{ ${lines.join('; ')}; ${this.write(node.body).slice(1)}`
        : `(${[...lines, this.write(node.body)].join(', ')})`
    return this.copied(node, new Map([[node.body, body]]))
  }

  BlockStatement(node) {
    return this.drawing.has(node) ? `{ ${this.statements(node.body)} }` : undefined
  }

  /** `if (a) return b; …` draws both: `return choose(a, () => { return b }, () => { … })`. */
  statements(nodes) {
    const first = nodes.findIndex((node, i) => leaves(node) && !nodes.slice(i).some(isNotMovable))
    if (first < 0) return nodes.map((node) => this.write(node)).join('\n')
    const { test, consequent } = nodes[first]
    const branches = [
      `() => { ${this.write(consequent)} }`,
      `() => { ${this.statements(nodes.slice(first + 1))} }`,
    ]
    const before = nodes.slice(0, first).map((node) => this.write(node))
    return [...before, `return ${this.call('choose', this.write(test), ...branches, this.at(test))}`].join(
      '\n',
    )
  }

  VariableDeclarator(node) {
    const names = defaultsIn([node.id]).map(({ left }) => left.name)
    if (!node.init || names.length === 0) return undefined
    const init = this.call('withoutDefaults', this.write(node.init), JSON.stringify(names), this.at(node))
    return this.copied(node, new Map([[node.init, init]]))
  }
}

const drawsElements = (node) =>
  /^JSX(?:Element|Fragment)$/.test(node.type) || childrenOf(node).some(drawsElements)

/** Whether a statement is `if (…) return …`. */
function leaves({ type, alternate, consequent }) {
  if (type !== 'IfStatement' || alternate) return false
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent
  return last?.type === 'ReturnStatement'
}
const isNotMovable = (node) => node.type === 'FunctionDeclaration' || waits(node)

const handlers = /^(?:key|ref|children|dangerouslySetInnerHTML|on[A-Z].*)$/
const isDynamic = ({ name, value }) =>
  name.type === 'JSXIdentifier' &&
  value?.type === 'JSXExpressionContainer' &&
  !/Literal$|Function/.test(value.expression.type) &&
  !handlers.test(name.name)

/** The assignments of defaults to names in object patterns. */
function defaultsIn(patterns) {
  return patterns.flatMap((pattern) => {
    if (pattern.type === 'AssignmentPattern') {
      return pattern.left.type === 'Identifier' ? [pattern] : defaultsIn([pattern.left])
    }
    if (pattern.type === 'ObjectPattern') return defaultsIn(pattern.properties.map((one) => one.value ?? one))
    return []
  })
}

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string'

function childrenOf(node) {
  return Object.entries(node)
    .filter(([key]) => key !== 'parent')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => isNode(value) && value.end > value.start)
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
}

/** The link of a chain that is evaluated first and may end it. */
function firstOptional(node) {
  const inner = innerOf(node)
  return (inner && firstOptional(inner)) ?? (node.optional ? node : undefined)
}
function innerOf(node) {
  if (node.type === 'CallExpression') return node.callee
  if (node.type === 'MemberExpression') return node.object
  return node.type === 'TSNonNullExpression' ? node.expression : undefined
}
const hasOptional = (node) => firstOptional(node) !== undefined

/** Whether an expression waits within its own function, so that it cannot move into another. */
function waits(node) {
  if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true
  if (/Function/.test(node.type)) return false
  return childrenOf(node).some(waits)
}
