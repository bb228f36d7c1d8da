/** A blank card has words that only hold a place. Whoever comes to them types over them. */
export function replaced(placeholder: string): (event: FocusEvent) => void {
  return (event) => {
    const field = event.target as HTMLInputElement | HTMLTextAreaElement;
    if (field.value === placeholder) field.select();
  };
}
