import { type AppError, invalid } from '#platform/errors'

export const requiredParam = (field: string, message = `\`${field}\` is required.`): AppError =>
  invalid('body', `/${field}`, 'required', message)
