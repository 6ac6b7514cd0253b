export type HostileFile = {
  description: string
  filename: string
  content: Buffer
  declaredType: string
  /** Media type under which the file may be stored, because that is what it is; otherwise it must be rejected. */
  storedAs?: string
  code?: string
}

export const script = '<script>document.title="executed"</script>'
export const html = `<!DOCTYPE html><html><body>${script}</body></html>`

export const file = (
  description: string,
  filename: string,
  content: Buffer | string,
  declaredType: string,
  more: Partial<HostileFile> = {},
): HostileFile => ({ description, filename, content: Buffer.from(content), declaredType, ...more })
