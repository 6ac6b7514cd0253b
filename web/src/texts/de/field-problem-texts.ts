import type { TextsOf } from './texts.ts'

export const fieldProblemTexts: TextsOf<'fieldProblemTexts'> = {
  minimum: (limit) => `\`field\` muss mindestens ${limit} sein.`,
  maximum: (limit) => `\`field\` darf höchstens ${limit} sein.`,
  maxLength: (limit) => `\`field\` ist zu lang. Verwenden Sie höchstens ${limit} Zeichen.`,
}
