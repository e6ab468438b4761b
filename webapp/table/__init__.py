"""Tables: games being entered, by one phone or many, from the first tap to the reveal."""
