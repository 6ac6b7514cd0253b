export type SenderFields = { from_name: string | null; reply_to: string | null }
export type SenderField = keyof SenderFields

export type AllowedSenders = {
  names: readonly (string | null | undefined)[]
  addresses: readonly (string | null | undefined)[]
}

/** Lists the fields with a value that neither the workspace nor the owner has and no manager has allowed. */
export function listUnapproved({ from_name, reply_to }: SenderFields, allowed: AllowedSenders): SenderField[] {
  const isKnown = (value: string, known: readonly (string | null | undefined)[]) =>
    known.some((one) => one?.trim().toLowerCase() === value.trim().toLowerCase())
  return [
    ...(from_name !== null && !isKnown(from_name, allowed.names) ? ['from_name' as const] : []),
    ...(reply_to !== null && !isKnown(reply_to, allowed.addresses) ? ['reply_to' as const] : []),
  ]
}
