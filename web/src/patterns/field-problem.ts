import { ApiProblem } from '../api/problem.ts'

/** A problem of one field that is found before the request is sent. */
export const fieldProblem = (field: string, message: string): ApiProblem =>
  new ApiProblem(422, {
    code: 'validation_failed',
    errors: [{ in: 'body', path: `/${field}`, code: 'invalid', message }],
  })
