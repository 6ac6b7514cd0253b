import type { Compilable, CompiledQuery, QueryResult } from 'kysely'

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) })

type Runner = { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/**
 * Returns a function that runs the statement, which is built once per process instead of once per call. `build` must not depend on
 * the values of its input: it gets a placeholder for each field.
 */
export function compileOnce<Tx extends Runner, Input extends object, Row>(
  build: (tx: Tx, input: Input) => Compilable<Row>,
): (tx: Tx, input: Input) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (tx, input) => {
    compiled ??= build(tx, placeholders as Input).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? input[value.name as keyof Input] : value,
    )
    return (await tx.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
