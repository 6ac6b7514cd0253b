import { translate } from '../language.ts'

/** Sentences for problems of one field, by their code. The field is called `field` until its label takes the place. */
const sentences: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `\`field\` must be ${limit} or more.`,
  maximum: (limit) => `\`field\` must be ${limit} or less.`,
  maxLength: (limit) => `\`field\` is too long. Use at most ${limit} characters.`,
}

export const fieldProblemTexts = translate('fieldProblemTexts', sentences)
